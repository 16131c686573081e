"""Which number an answer in words states: a table of forms, and texts that may be anything."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.players._arithmetic import Read, read_number
from ludometer.players._number_words import spelled_numbers
from ludometer.players._stated_number import stated

# ------------------------------------------------------------- answers that are read

NUMBERS = {
    # the plain forms
    "439": "439",
    " 439 \n": "439",
    "439.": "439",
    "439.0": "439",
    "439.000": "439",
    "+439": "439",
    "-439": "-439",
    "−439": "-439",
    "00439": "439",
    "4.39e2": "439",
    "4.39E+2": "439",
    ".439e3": "439",
    "43900e-2": "439",
    "4.39 × 10^2": "439",
    "4.39 x 10^2": "439",
    "4.39*10**2": "439",
    "4.39·10²": "439",
    "438.9": "4389/10",
    "439/1": "439",
    "1/3": "1/3",
    # digits in groups
    "4,390": "4390",
    "1,000": "1000",
    "1 000": "1000",
    "1\u202f000": "1000",
    "1_000": "1000",
    "1,000,000": "1000000",
    "1.000": "1",
    # digits of other scripts
    "٤٣٩": "439",
    "４３９": "439",
    # wrapped up
    "(439)": "439",
    "[439]": "439",
    "**439**": "439",
    "`439`": "439",
    "__439__": "439",
    '"439"': "439",
    "«439»": "439",
    "((((((439))))))": "439",
    '{"answer": 439}': "439",
    '{"answer": "439"}': "439",
    "439 apples": "439",
    "= 439": "439",
    "x = 439": "439",
    "439 😀": "439",
    "\u200b439": "439",
    # LaTeX
    "\\boxed{439}": "439",
    "$\\boxed{439}$": "439",
    "\\fbox{439}": "439",
    "\\boxed{x=439}": "439",
    "\\boxed{\\text{439}}": "439",
    "\\boxed{1{,}000}": "1000",
    "\\boxed{1\\,000}": "1000",
    "$439$": "439",
    "\\(439\\)": "439",
    "\\[439\\]": "439",
    "\\frac{439}{1}": "439",
    "\\dfrac{1}{3}": "1/3",
    "4.39 \\times 10^{2}": "439",
    "4.39 \\cdot 10^2": "439",
    "\\left(439\\right)": "439",
    # in a sentence
    "the answer is 439.": "439",
    "The answer is 439!": "439",
    "The answer is: 439": "439",
    "The final answer is **439**.": "439",
    "Final Answer: $439$": "439",
    "ANSWER = 439": "439",
    "#### 439": "439",
    "The answer is probably 439": "439",
    "439 is the answer.": "439",
    "So there are 439 ways.": "439",
    "The number of ways is 439.": "439",
    "There are 400 and 39, and the answer to your question is 439": "439",
    "The value of x is 400 and that of y is 39. Their sum is 439.": "439",
    "The sum of four hundred and thirty-nine is what? It is 439.": "439",
    # working, and then a result
    "20^2 + 39 = 439": "439",
    "5 × 87 + 4 = 439": "439",
    "439 = 400 + 39": "439",
    "First 20*20 = 400. Then 400 + 39 = 439.": "439",
    "20*20=400\n400+39=439": "439",
    "Adding 400 and 39 gives\n439": "439",
    "It is not hard to see. It is 439.": "439",
    "Answer: 439\n\nThis is because 400 + 39 = 439.": "439",
    # the last stated one counts
    "The answer is 438. Wait, no: the answer is 439.": "439",
    "\\boxed{438} is what I thought, but it is \\boxed{439}.": "439",
    "The answer is 438, as everybody knows. \\boxed{439}": "439",
    # words
    "four hundred thirty-nine": "439",
    "Four hundred and thirty nine.": "439",
    "The answer is four hundred thirty-nine.": "439",
    "one thousand": "1000",
    "a hundred": "100",
    "twelve": "12",
}


@pytest.mark.parametrize(("text", "value"), NUMBERS.items(), ids=repr)
def test_one_number_is_stated(text: str, value: str) -> None:
    found = read_number(text)
    assert found.value == value
    assert found.why in ("number", "words")


# --------------------------------------------------------- answers that state nothing

NONE = {
    # two numbers are left open
    "439 or 440": "several_numbers",
    "440 or 439": "several_numbers",
    "439, 440": "several_numbers",
    "439; 440": "several_numbers",
    "439 and 440": "several_numbers",
    "4 3 9": "several_numbers",
    "The answer is 439 or 440.": "several_numbers",
    "\\boxed{439, 440}": "several_numbers",
    "{1, 2, 3, 439}": "several_numbers",
    "four hundred, or thirty-nine": "several_numbers",
    "either 439 or 440": "not_a_number",
    "between 438 and 440": "not_a_number",
    "438 < x < 440": "not_a_number",
    "439 ± 1": "not_a_number",
    # taken back or blurred
    "The answer is not 439": "not_a_number",
    "It isn't 439": "not_a_number",
    "about 439": "not_a_number",
    "≈ 439": "not_a_number",
    "~439": "not_a_number",
    "at least 439": "not_a_number",
    "> 438": "not_a_number",
    "439 (mod 1000)": "not_a_number",
    # digits that are part of something else
    "0x1b7": "not_a_number",
    "0b110110111": "not_a_number",
    "439th": "not_a_number",
    "439cm": "not_a_number",
    "x439": "not_a_number",
    "439%": "not_a_number",
    "439°": "not_a_number",
    "439_{10}": "not_a_number",
    "439,0": "not_a_number",
    "4,39": "not_a_number",
    "43,9": "not_a_number",
    "1'000": "not_a_number",
    "4.3.9": "not_a_number",
    # nothing at all
    "": "nothing",
    "?": "nothing",
    "I do not know": "nothing",
    "CDXXXIX": "nothing",
    "vierhundertneununddreißig": "nothing",
    "five two": "not_a_number",
    "1e99999": "too_large",
    "9" * 300: "too_large",
    "9" * 500: "not_a_number",
}


@pytest.mark.parametrize(("text", "why"), NONE.items(), ids=lambda value: repr(value)[:40])
def test_no_number_is_stated(text: str, why: str) -> None:
    assert read_number(text) == Read("", why)


COMPUTATIONS = {
    "400 + 39": "439",
    "438+1": "439",
    "20^2 + 39": "439",
    "878/2": "439",
    "\\frac{878}{2}": "439",
    "(400)+(39)": "439",
    "sqrt(192721)": "439",
    "\\sqrt{192721}": "439",
    "√192721": "439",
    "439²": "192721",
    "5!": "120",
    "439!": "",
    "\\binom{10}{3}": "120",
    "438-440": "-2",
    "1/0": "",
    "sqrt(2)": "",
    "The answer is 400 + 39.": "439",
}


@pytest.mark.parametrize(("text", "value"), COMPUTATIONS.items(), ids=repr)
def test_a_computation_is_told_from_a_number(text: str, value: str) -> None:
    found = read_number(text)
    assert (found.value, found.why in ("computation", "too_large")) == (value, True)


# ------------------------------------------------------------------------- properties


@given(st.integers(0, 10**9))
def test_every_number_is_read_in_every_plain_form(number: int) -> None:
    for form in (
        f"{number}",
        f"{number:,}",
        f"{number}.0",
        f"\\boxed{{{number}}}",
        f"the answer is {number}.",
        f"x={number}",
    ):
        assert read_number(form).value == str(number), form


@given(st.text(max_size=80))
def test_anything_is_read_without_an_error(text: str) -> None:
    found = stated(text)
    assert found.why in ("number", "words", "computation", "nothing", "several_numbers", "not_a_number")
    assert bool(found.text) == (found.why in ("number", "words", "computation"))


@given(st.text("0123456789.,+-*/^()=! \\{}eExfracsqt_\n", max_size=40))
def test_what_looks_like_numbers_is_read_without_an_error(text: str) -> None:
    found = read_number(text) if "!" not in text and "^" not in text and "**" not in text else stated(text)
    assert isinstance(found.why, str)


def in_words(n: int) -> str:
    """Numbers below 1000, written by a rule of its own."""
    small = (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen"
    )
    if n < 20:
        return small.split()[n]
    if n < 100:
        tens = "twenty thirty forty fifty sixty seventy eighty ninety"
        return tens.split()[n // 10 - 2] + (f"-{in_words(n % 10)}" if n % 10 else "")
    return f"{in_words(n // 100)} hundred" + (f" and {in_words(n % 100)}" if n % 100 else "")


def test_all_numbers_in_words() -> None:
    for n in range(1000):
        for text in (in_words(n), in_words(n).replace(" and ", " "), in_words(n).replace("-", " ")):
            assert [run.value for run in spelled_numbers(f"it is {text}, i think")] == [n], text
    for n in range(1000, 100_000, 777):
        text = f"{in_words(n // 1000)} thousand" + (f" {in_words(n % 1000)}" if n % 1000 else "")
        assert [run.value for run in spelled_numbers(text)] == [n], text


@pytest.mark.parametrize("text", ["tone", "nines", "stone one1", "often", "weight", "someone", "tenth"])
def test_words_within_words_are_no_numbers(text: str) -> None:
    assert spelled_numbers(text) == []
