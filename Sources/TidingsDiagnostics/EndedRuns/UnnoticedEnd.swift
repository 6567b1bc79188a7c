// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The most likely reason for the end of a run that recorded no reason.
enum UnnoticedEnd: Hashable, Sendable {
    /// The program wrote to a pipe or connection without a reader.
    case brokenPipe
    /// The machine has been restarted since.
    case restart
    /// The system killed processes for lack of memory during the run, in the control group of the
    /// program or anywhere on the machine.
    case outOfMemory(kills: Int, isInGroup: Bool)
    /// The reason is none of the above.
    case killed

    /// Determines the reason.
    ///
    /// - Parameters:
    ///   - end: The end recorded in the run's file, or nil without a file.
    ///   - metadata: The metadata of the run.
    ///   - bootID: The identifier of the current boot.
    ///   - counters: The current counters of the run's control group.
    init(
        _ end: RunRecord.End?,
        of metadata: RunMetadata,
        bootID: String?,
        counters: MemoryCounters
    ) {
        if end == .terminated(signal: SIGPIPE) {
            self = .brokenPipe
        } else if let then = metadata.bootID, let bootID, then != bootID {
            self = .restart
        } else if let then = metadata.memory, let kills = counters.kills(since: then),
            kills.count > 0
        {
            self = .outOfMemory(kills: kills.count, isInGroup: kills.isInGroup)
        } else {
            self = .killed
        }
    }

    /// The error that represents the end in a report, with a code that groups reports on a server.
    var error: ReportedError {
        ReportedError(domain: "TidingsDiagnostics.UnnoticedEnd", code: code, message: message)
    }

    private var code: String {
        switch self {
        case .brokenPipe: "SIGPIPE"
        case .restart: "restart"
        case .outOfMemory: "outOfMemory"
        case .killed: "killed"
        }
    }

    private var message: String {
        switch self {
        case .brokenPipe:
            "SIGPIPE ended the program: it wrote to a pipe or connection that nobody reads any more."
        case .restart:
            "The machine stopped or was restarted while the program ran."
        case .outOfMemory(let kills, isInGroup: true):
            "The system killed \(kills) process\(kills == 1 ? "" : "es") of the program's control "
                + "group for lack of memory while the program ran."
        case .outOfMemory(let kills, isInGroup: false):
            "The program ended without notice. The machine killed \(kills) "
                + "process\(kills == 1 ? "" : "es") for lack of memory while it ran."
        case .killed:
            "The program ended without notice: it was killed (SIGKILL), or the stack of a thread "
                + "without a signal stack overflowed."
        }
    }
}
