// SPDX-License-Identifier: Apache-2.0

/// The body of a declaration that exists for its message: no program that calls one compiles.
func unavailable() -> Never {
    preconditionFailure("An unavailable declaration has no body.")
}
