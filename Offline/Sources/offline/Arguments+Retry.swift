// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

extension Arguments {
    /// Parses the arguments of `retry`.
    static func retry(_ scanner: inout ArgumentScanner) throws(UsageError) -> Command {
        let text = try scanner.value(of: "--address", named: "https://…")
        let ids = try identifiers(&scanner)
        guard let text else { return .retry(ids, at: nil) }
        guard ids.count == 1 else {
            throw UsageError("--address replaces the address of one item. Name one item.")
        }
        do {
            return .retry(ids, at: try WebAddress(text))
        } catch {
            throw UsageError(error.message)
        }
    }
}
