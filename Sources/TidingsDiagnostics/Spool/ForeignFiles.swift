// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What of a reporter's folder belongs to another user, as after a run of the program as root.
///
/// Such files are neither believed nor changed.
struct ForeignFiles: Sendable {
    private static let names = [
        "spool", "runs", "starts", "quarantine", "state.json", "state.lock", "send.lock",
        "starts.lock", "revoked",
    ]

    let directory: String
    /// Within the directory.
    let found: [String]

    /// Looks for them.
    init(in directory: String, user: uid_t = geteuid()) {
        self.directory = directory
        let reports = SystemFile.names(in: "\(directory)/spool").sorted().map { "spool/\($0)" }
        let runs = SystemFile.names(in: "\(directory)/runs").sorted().map { "runs/\($0)" }
        found = (Self.names + reports + runs).filter { name in
            SystemFile.owner(of: "\(directory)/\(name)").map { $0 != user } ?? false
        }
    }

    /// In words, if there are any.
    var problems: [DiagnosticsError] {
        guard let first = found.first else { return [] }
        let others = found.count > 1 ? " and \(found.count - 1) more" : ""
        let error = DiagnosticsError(
            .otherOwner,
            "\(first)\(others) in \(directory) belong to another user, as after a run as root: "
                + "they are not read, and what cannot be stored beside them ends with the process. "
                + "Give them to the user who runs the program (chown -R USER \(directory)), or "
                + "delete them, and start again."
        )
        return [error]
    }
}
