// SPDX-License-Identifier: Apache-2.0

extension Arguments {
    /// What is to be done with the reports.
    enum Reports: Equatable {
        case list(json: Bool)
        case show(String, json: Bool)
        case deleteAll
    }

    static func reports(_ scanner: inout ArgumentScanner) throws(UsageError) -> Reports {
        switch scanner.next() {
        case nil: return .list(json: scanner.flag("--json"))
        case "show":
            guard let id = scanner.next() else {
                throw UsageError("Give the report's ID; `offline reports` shows it.")
            }
            return .show(id, json: scanner.flag("--json"))
        case "delete":
            guard scanner.flag("--all") else {
                throw UsageError("Say which: offline reports delete --all")
            }
            return .deleteAll
        case let other?:
            throw UsageError("“\(other)” is nothing that can be done with reports.")
        }
    }
}
