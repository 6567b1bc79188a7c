// SPDX-License-Identifier: Apache-2.0

/// The reason why the import refuses a line.
struct ImportFault: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
