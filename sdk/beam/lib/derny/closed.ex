defmodule Derny.Closed do
  @moduledoc false
  # Decides whether a file's code depends only on its text, so that its compiled code can be reused.
  # Only the constructs listed below are allowed. All others are assumed to depend on something else, such as
  # other macros, calls of other modules during compilation, structs (their defaults are compiled in), and code
  # outside modules. Bodies of functions and benchmarks run later, so only the macros in them matter.

  # Modules whose macros read nothing from outside, and whose functions depend only on their arguments, except
  # those in @impure.
  @pure [:Atom, :Base, :Bitwise, :Enum, :Float, :Integer, :Keyword, :List, :Map, :MapSet, :Range, :Regex, :Stream, :String, :Tuple]
  @erlang [:binary, :lists, :maps, :math]
  @impure [:random, :shuffle, :take_random, :resource, :run]

  # Functions and macros of Kernel, and special forms, that a file may use during compilation.
  @operators ~w[+ - * / ++ -- <> |> .. ..// == != === !== < > <= >= and or not ! && || in when -> <- = | :: ^ & %{} {} <<>> __block__ fn __aliases__]a
  @forms ~w[for if unless case cond with do]a
  @functions ~w[abs byte_size ceil div elem floor hd length map_size max min put_elem rem round tl to_charlist to_string trunc tuple_size]a
  @tests ~w[is_atom is_binary is_boolean is_float is_integer is_list is_map is_nil is_number is_tuple]a
  @sigils ~w[sigil_c sigil_C sigil_r sigil_R sigil_s sigil_S sigil_w sigil_W]a
  @allowed @operators ++ @forms ++ @functions ++ @tests ++ @sigils

  # Attributes that direct the compiler or call something, instead of storing a value.
  @types [:spec, :type, :typep, :opaque, :impl]
  @hooks [:after_compile, :after_verify, :before_compile, :compile, :derive, :on_definition, :on_load]

  # Forms that run code during compilation, or depend on other modules.
  @never ~w[% unquote unquote_splicing quote use require defmodule defmacro defmacrop defstruct defimpl defprotocol dbg]a

  @benches [:setup, :teardown, :before_batch, :after_batch, :setup_all]
  @contexts [:teardown_all, :before_each_bench, :after_each_bench]

  @doc "Returns true if the definitions in `text` depend only on that text."
  def closed?(text, file) do
    case Code.string_to_quoted(text, file: file) do
      {:ok, {:__block__, _, forms}} -> Enum.all?(forms, &top?/1)
      {:ok, form} -> top?(form)
      {:error, _} -> false
    end
  end

  defp top?({{:., _, [{:__aliases__, _, [:Benchfella]}, :start]}, _, arguments}), do: Enum.all?(arguments, &constant?/1)
  defp top?({:alias, _, _}), do: true
  defp top?({:defmodule, _, [{:__aliases__, _, _}, [do: body]]}), do: Enum.all?(forms(body), &member?/1)
  defp top?(_), do: false

  defp forms({:__block__, _, forms}), do: forms
  defp forms(form), do: [form]

  defp member?({:use, _, [{:__aliases__, _, [module]} | options]}) when module in [:Derny, :Benchfella], do: Enum.all?(options, &constant?/1)
  defp member?({:alias, _, _}), do: true
  defp member?({:import, _, [{:__aliases__, _, [module]} | options]}), do: module in @pure and Enum.all?(options, &constant?/1)
  defp member?({:defmodule, _, _} = nested), do: top?(nested)
  defp member?({:@, _, [{name, _, [_]}]}) when name in @hooks, do: false
  defp member?({:@, _, [{name, _, [_]}]}) when name in @types, do: true
  defp member?({:@, _, [{_, _, [value]}]}), do: constant?(value)
  defp member?({kind, _, [head | rest]}) when kind in [:def, :defp], do: later?([head | rest])
  defp member?({:bench, _, [name | rest]}), do: constant?(name) and later?(rest)
  defp member?({name, _, [body]}) when name in @benches, do: later?(body)
  defp member?({name, _, [context, body]}) when name in @contexts, do: later?([context, body])
  defp member?(_), do: false

  # Checks code that does not run during compilation, but later. Returns true if all macros that it uses are
  # allowed.
  defp later?(code) do
    {_, is_closed} =
      Macro.prewalk(code, true, fn
        {:import, _, [{:__aliases__, _, [module]} | _]} = form, is_closed -> {form, is_closed and module in @pure}
        {name, _, arguments} = form, is_closed when is_list(arguments) -> {form, is_closed and name not in [:import | @never]}
        form, is_closed -> {form, is_closed}
      end)

    is_closed
  end

  # Checks code that runs during compilation. Returns true if its result depends only on the code itself.
  defp constant?({{:., _, [{:__aliases__, _, [module]}, function]}, _, arguments}), do: module in @pure and function not in @impure and all?(arguments)
  defp constant?({{:., _, [module, function]}, _, arguments}) when is_atom(module), do: called?(module, function) and all?(arguments)
  # A call of an anonymous function that is defined in this file.
  defp constant?({{:., _, [function]}, _, arguments}), do: constant?(function) and all?(arguments)
  defp constant?({:@, _, [{_, _, context}]}) when is_atom(context), do: true
  defp constant?({:&, _, [{:/, _, [{{:., _, [_, _]}, _, _} = function, _]}]}), do: constant?(function)
  defp constant?({:&, _, [{:/, _, [{name, _, context}, _]}]}) when is_atom(context), do: name in @allowed
  defp constant?({name, _, context}) when is_atom(name) and is_atom(context), do: true
  defp constant?({name, _, arguments}) when is_atom(name), do: name in @allowed and all?(arguments)
  defp constant?({left, right}), do: constant?(left) and constant?(right)
  defp constant?(list) when is_list(list), do: all?(list)
  defp constant?(literal), do: is_atom(literal) or is_number(literal) or is_binary(literal)

  # String interpolation calls `Kernel.to_string/1`.
  defp called?(Kernel, :to_string), do: true
  defp called?(module, function), do: module in @erlang and function not in @impure

  defp all?(list), do: Enum.all?(list, &constant?/1)
end
