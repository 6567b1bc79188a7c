// SPDX-License-Identifier: Apache-2.0

/// The body of an unavailable declaration: no program that calls one compiles.
package func unavailable() -> Never {
    preconditionFailure("An unavailable declaration has no body.")
}
