"""Players that are programs: what they are asked, how they think, what they have learned, and how they are compared.

A bot is shown what its seat may see and nothing else (`sight`). docs/bots.md tells of the levels.
"""
