// SPDX-License-Identifier: Apache-2.0

/// The reason why a line of an import is refused.
struct ImportFault: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
