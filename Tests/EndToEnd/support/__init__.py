# SPDX-License-Identifier: Apache-2.0
"""What the end-to-end tests are made of; nothing here knows the program from the inside."""
