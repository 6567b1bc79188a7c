// SPDX-License-Identifier: Apache-2.0
import OfflineApp

/// Applies the action of a command to each of the items or feeds, even after one that failed.
struct EachItem {
    /// The word on the command line, for reports.
    let command: String
    let environment: Environment

    /// Prints the result of each action, or the error.
    ///
    /// - Returns: `.failure` if any action failed.
    func run<ID>(_ ids: [ID], _ action: (ID) async throws -> String) async -> ExitStatus {
        var status = ExitStatus.success
        for id in ids {
            do {
                Terminal.print(try await action(id))
            } catch {
                environment.reports?.recordFailure(error, of: command)
                Terminal.note(ExitStatus.explanation(of: error))
                status = .failure
            }
        }
        return status
    }
}
