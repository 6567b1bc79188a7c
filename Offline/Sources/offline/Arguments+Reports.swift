// SPDX-License-Identifier: Apache-2.0
import TidingsDiagnostics

extension Arguments {
    /// The actions of `offline reports`.
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
            throw UsageError("Unknown action “\(other)”. Use show, send, delete or consent.")
        }
    }

    /// Parses `offline diagnostics crash [WAY] [--yes]`.
    static func crash(_ scanner: inout ArgumentScanner) throws(UsageError) -> Command {
        guard scanner.next() == "crash" else {
            throw UsageError(
                "The action of diagnostics is missing or unknown. "
                    + "Use: offline diagnostics crash [WAY]"
            )
        }
        let isConfirmed = scanner.flag("--yes")
        guard let name = scanner.next() else {
            return .crash(.fatalError, isConfirmed: isConfirmed)
        }
        guard let way = CrashWay(rawValue: name) else {
            let ways = CrashWay.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("Unknown way to crash “\(name)”. Use one of \(ways).")
        }
        return .crash(way, isConfirmed: isConfirmed)
    }

    private static func report(_ scanner: inout ArgumentScanner) throws(UsageError) -> String {
        guard let id = scanner.next() else {
            throw UsageError("The report's ID is missing. `offline reports` lists the IDs.")
        }
        return id
    }

    private static func consent(
        _ scanner: inout ArgumentScanner
    ) throws(UsageError) -> ReportConsent {
        switch scanner.next() {
        case "given": return .given
        case "revoked": return .revoked
        default:
            throw UsageError(
                "The choice is missing or unknown. Use: offline reports consent given|revoked"
            )
        }
    }
}
