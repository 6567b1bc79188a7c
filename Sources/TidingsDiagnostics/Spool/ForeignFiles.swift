// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles

/// The files in a reporter's folder that belong to another user, for example after a run as root.
///
/// The reporter neither trusts nor changes these files.
struct ForeignFiles: Sendable {
    private static let names = [
        "spool", "runs", "starts", "quarantine", "state.json", "state.lock", "send.lock",
        "starts.lock", "revoked",
    ]

    let directory: String
    /// Paths relative to the directory.
    let found: [String]

    /// Searches the directory.
    init(in directory: String, user: uid_t = geteuid()) {
        self.directory = directory
        let reports = SystemFile.names(in: "\(directory)/spool").sorted().map { "spool/\($0)" }
        let runs = SystemFile.names(in: "\(directory)/runs").sorted().map { "runs/\($0)" }
        found = (Self.names + reports + runs).filter { name in
            SystemFile.owner(of: "\(directory)/\(name)").map { $0 != user } ?? false
        }
    }

    /// The problem as an error that a user can read, or an empty array without such files.
    var problems: [DiagnosticsError] {
        guard let first = found.first else { return [] }
        let others = found.count > 1 ? " and \(found.count - 1) more" : ""
        let error = DiagnosticsError(
            .folderUnusable,
            "\(first)\(others) in \(directory) belong to another user, for example after a run "
                + "as root. They are not read, and some records may be lost when the process ends. "
                + "Change their owner to the user who runs the program (chown -R USER "
                + "\(directory)) or delete them, and restart the program."
        )
        return [error]
    }
}
