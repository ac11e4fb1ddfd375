import os
import unittest

import driver  # noqa: F401  (puts the package on the path)
from derny import wire


class Lines(unittest.TestCase):
    def test_what_is_encoded_comes_back(self):
        text = "a b=c%,é\n\x7f"
        self.assertEqual(wire.encode(text), "a%20b%3Dc%25,é%0A%7F")
        self.assertEqual(wire.decode(wire.encode(text)), text)
        self.assertEqual(wire.encode_list(["a,b", "c"]), "a%2Cb,c")

    def test_a_message_has_fields(self):
        message = wire.Message("list p.n=1,2 p.s=a%2Cb,c colour=blue")
        self.assertEqual(message.verb, "list")
        self.assertEqual(message.lists(), {"n": ["1", "2"], "s": ["a,b", "c"]})
        self.assertEqual(message.params()["n"], "1,2")
        self.assertEqual(message.get("colour"), "blue")
        self.assertEqual(message.integer("n", 7), 7)

    def test_malformed_fields_are_told(self):
        for line in (
            "open benchmark",
            "open a=b=c",
            "open =x",
            "open a=1 a=2",
            "open a=%2",
            "open a=%zz",
            "open a=\t",
        ):
            with self.assertRaises(wire.Malformed, msg=line):
                wire.Message(line)
        for text in ("-1", "", "1e3", "x"):
            with self.assertRaises(wire.Malformed, msg=text):
                wire.Message(f"measure n={text}").integer("n")

    def test_fields_are_left_out_or_listed(self):
        self.assertEqual(
            wire.line("case", a=None, b=False, c=True, d=[], e=["x", 1], f=0), "case c=1 e=x,1 f=0"
        )

    def test_errors_are_cut_and_told_in_one_line(self):
        try:
            raise ValueError("x" * 10_000 + "\n")
        except ValueError as error:
            line = wire.error_line(error)
        self.assertNotIn("\n", line)
        self.assertLess(len(line), wire.LINE_LIMIT)
        self.assertTrue(line.startswith("error message=ValueError:%20xxx"))
        self.assertIn("detail=Traceback", line)
        self.assertEqual(wire.cut("ééé", 3), "é")

    def test_an_exception_that_cannot_be_printed_is_told(self):
        class Broken(Exception):
            def __str__(self):
                raise RuntimeError

        self.assertIn("Broken", wire.error_line(Broken()))

    def test_a_line_that_is_too_long_is_an_error(self):
        reader, writer = os.pipe()
        lines = wire.Reader(reader)
        os.write(writer, b"a" * 1000)
        os.write(writer, b"\nb\n")
        self.assertEqual([len(lines.next()), lines.next()], [1000, "b"])
        os.close(writer)
        self.assertIsNone(lines.next())
        os.close(reader)
        lines.rest = b"x" * wire.LINE_LIMIT
        with self.assertRaises(ValueError):
            lines.next()

    def test_one_stream_alone_is_an_error(self):
        self.assertFalse(wire.has_engine({}))
        self.assertTrue(wire.has_engine({"DERNY_COMMANDS": "a", "DERNY_REPLIES": "b"}))
        with self.assertRaises(ValueError):
            wire.has_engine({"DERNY_COMMANDS": "a"})


if __name__ == "__main__":
    unittest.main()
