// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics

extension Arguments {
    /// What is to be done with the reports.
    enum Reports: Equatable {
        case list(json: Bool)
        case show(String, json: Bool)
        case send
        case delete(String)
        case deleteAll
        case consent(ReportConsent)
    }

    static func reports(_ scanner: inout ArgumentScanner) throws(UsageError) -> Reports {
        switch scanner.next() {
        case nil: return .list(json: scanner.flag("--json"))
        case "show":
            return .show(try report(&scanner), json: scanner.flag("--json"))
        case "send": return .send
        case "delete":
            return scanner.flag("--all") ? .deleteAll : .delete(try report(&scanner))
        case "consent": return .consent(try consent(&scanner))
        case let other?:
            throw UsageError("“\(other)” is nothing that can be done with reports.")
        }
    }

    /// Reads `offline diagnostics crash [WAY] [--yes]`.
    static func crash(_ scanner: inout ArgumentScanner) throws(UsageError) -> Command {
        guard scanner.next() == "crash" else {
            throw UsageError("Say what of diagnostics: offline diagnostics crash [WAY]")
        }
        let isConfirmed = scanner.flag("--yes")
        guard let name = scanner.next() else {
            return .crash(.fatalError, isConfirmed: isConfirmed)
        }
        guard let way = CrashWay(rawValue: name) else {
            let ways = CrashWay.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("There is no way “\(name)” to crash; there are \(ways).")
        }
        return .crash(way, isConfirmed: isConfirmed)
    }

    private static func report(_ scanner: inout ArgumentScanner) throws(UsageError) -> String {
        guard let id = scanner.next() else {
            throw UsageError("Give the report's ID; `offline reports` shows it.")
        }
        return id
    }

    private static func consent(
        _ scanner: inout ArgumentScanner
    ) throws(UsageError) -> ReportConsent {
        switch scanner.next() {
        case "given": return .given
        case "revoked": return .revoked
        default: throw UsageError("Say which: offline reports consent given|revoked")
        }
    }
}
