"""Observation to messages: composing prompts, and the four answer formats."""

from ludometer.prompts.answers import ANSWER_FORMATS, AnswerFormat, AnswerStyle
from ludometer.prompts.compose import Prompt, PromptStyle, compose

__all__ = ["ANSWER_FORMATS", "AnswerFormat", "AnswerStyle", "Prompt", "PromptStyle", "compose"]
