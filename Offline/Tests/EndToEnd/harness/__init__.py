# SPDX-License-Identifier: Apache-2.0
"""The tools of the end-to-end tests, which use the program only from the outside."""
