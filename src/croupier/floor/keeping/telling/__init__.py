"""Telling others of what happens: the feed of events, webhooks, and the events that a person acknowledges."""
