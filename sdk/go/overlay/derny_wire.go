package testing

import (
	"math"
	"strconv"
	"strings"
)

// Syntax of the lines of the conversation. See PROTOCOL.md, section 2.

// Maximum lengths of a message and of a detail, in bytes before encoding.
const (
	dernyMessage = 4096
	dernyDetail  = 16384
)

type dernyLine struct{ text []byte }

func dernyVerb(verb string) *dernyLine { return &dernyLine{[]byte(verb)} }

func (l *dernyLine) word(word string) *dernyLine {
	l.text = append(append(l.text, ' '), word...)
	return l
}

func (l *dernyLine) integer(n int64) *dernyLine {
	l.text = strconv.AppendInt(append(l.text, ' '), n, 10)
	return l
}

func (l *dernyLine) number(value float64) *dernyLine {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return l.word("-")
	}
	l.text = strconv.AppendFloat(append(l.text, ' '), value, 'g', -1, 64)
	return l
}

func (l *dernyLine) field(key, value string) *dernyLine {
	l.text = append(l.text, ' ')
	l.text = dernyEncode(l.text, key, false)
	l.text = append(l.text, '=')
	l.text = dernyEncode(l.text, value, false)
	return l
}

// list appends a field whose value is a list, unless the list is empty.
func (l *dernyLine) list(key string, items []string) *dernyLine {
	for i, item := range items {
		if i == 0 {
			l.text = append(append(append(l.text, ' '), key...), '=')
		} else {
			l.text = append(l.text, ',')
		}
		l.text = dernyEncode(l.text, item, true)
	}
	return l
}

// value appends a value of an undeclared metric. It omits NaN and infinities.
func (l *dernyLine) value(name, unit, words string, value float64) *dernyLine {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return l
	}
	part := func(text string) string {
		return strings.ReplaceAll(string(dernyEncode(nil, text, false)), ":", "%3A")
	}
	l.text = append(l.text, " v."+part(name)+":"+part(unit)+words+"="...)
	l.text = strconv.AppendFloat(l.text, value, 'g', -1, 64)
	return l
}

func (l *dernyLine) send() { dernyWrite(append(l.text, '\n')) }

func dernyError(message, detail string) *dernyLine {
	message = strings.TrimSpace(strings.ReplaceAll(message, "\n", "; "))
	line := dernyVerb("error").field("message", dernyCut(message, dernyMessage))
	if detail != "" {
		line.field("detail", dernyCut(detail, dernyDetail))
	}
	return line
}

// dernyCut truncates text to at most `most` bytes. It replaces invalid UTF-8, such as a character
// that was cut in two, by a question mark.
func dernyCut(text string, most int) string {
	if len(text) > most {
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "?")
}

func dernyEncode(to []byte, text string, comma bool) []byte {
	const digits = "0123456789ABCDEF"
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c <= ' ' || c == '%' || c == '=' || c == 0x7f || comma && c == ',' {
			to = append(to, '%', digits[c>>4], digits[c&15])
		} else {
			to = append(to, c)
		}
	}
	return to
}

func dernyDecode(text string) (string, bool) {
	if !strings.Contains(text, "%") {
		return text, true
	}
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			out = append(out, text[i])
			continue
		}
		if i+2 >= len(text) {
			return "", false
		}
		n, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		out = append(out, byte(n))
		i += 2
	}
	return string(out), true
}

type dernyField struct{ key, raw string }

type dernyCommand struct {
	verb   string
	fields []dernyField
}

func dernyParse(line string) (dernyCommand, string) {
	words := strings.Split(line, " ")
	command := dernyCommand{verb: words[0]}
	for _, word := range words[1:] {
		key, raw, ok := strings.Cut(word, "=")
		name, good := dernyDecode(key)
		if !ok || !good || name == "" || strings.Contains(raw, "=") {
			return command, "malformed field " + word
		}
		if _, good := dernyDecode(raw); !good {
			return command, "malformed value of " + name
		}
		if _, twice := command.get(name); twice {
			return command, "the key " + name + " appears twice"
		}
		command.fields = append(command.fields, dernyField{name, raw})
	}
	return command, ""
}

func (c *dernyCommand) get(key string) (string, bool) {
	for _, field := range c.fields {
		if field.key == key {
			return dernyDecode(field.raw)
		}
	}
	return "", false
}

// whole parses an integer. A value above most counts as most. It returns an error message if the key
// is missing, or if its value is not an integer of at least `least`.
func (c *dernyCommand) whole(key string, least, most uint64) (int64, string) {
	text, ok := c.get(key)
	if !ok {
		return 0, "the key " + key + " is missing"
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n < least || strings.HasPrefix(text, "+") {
		return 0, key + " is not an integer of at least " + strconv.FormatUint(least, 10)
	}
	return int64(min(n, most, math.MaxInt64)), ""
}

func (c *dernyCommand) params() []dernyParam {
	var params []dernyParam
	for _, field := range c.fields {
		if name, ok := strings.CutPrefix(field.key, "p."); ok {
			value, _ := dernyDecode(field.raw)
			params = append(params, dernyParam{name, value})
		}
	}
	return params
}

func (c *dernyCommand) lists() map[string][]string {
	given := map[string][]string{}
	for _, field := range c.fields {
		if name, ok := strings.CutPrefix(field.key, "p."); ok {
			for _, item := range strings.Split(field.raw, ",") {
				value, _ := dernyDecode(item)
				given[name] = append(given[name], value)
			}
		}
	}
	return given
}
