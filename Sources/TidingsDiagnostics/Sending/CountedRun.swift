// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A run that the figures contain.
///
/// The list of these runs makes each start and each end count once, even if a process ends between
/// the two.
struct CountedRun: Hashable, Sendable, Codable {
    /// The number of ended runs to remember: more than the runs that one process reads at a time.
    static let endedLimit = 128
    static let limit = 512

    /// The session of the run.
    let id: String
    var isEnded = false
    /// Whether the first update of the session was sent or is waiting to be sent.
    var isAnnounced = true
}

extension ReporterState {
    /// Counts the start of a run, once.
    mutating func recordStart(of metadata: RunMetadata) {
        guard !runs.contains(where: { $0.id == metadata.session }) else { return }
        countRun(of: metadata.release, at: metadata.started)
        remember(CountedRun(id: metadata.session))
        add(
            ReportedSession(
                metadata,
                isFirst: true,
                sequence: 0,
                status: .running,
                date: metadata.started,
                errors: 0
            )
        )
    }

    /// Counts the end of a run once, and also the start if the run ended before the start was
    /// counted.
    ///
    /// - Returns: Whether the end was not counted before.
    @discardableResult
    mutating func recordEnd(
        _ status: ReportedSession.Status,
        of metadata: RunMetadata,
        at date: Date,
        errors: Int
    ) -> Bool {
        let known = runs.firstIndex { $0.id == metadata.session }
        if let known {
            guard !runs[known].isEnded else { return false }
        } else {
            countRun(of: metadata.release, at: metadata.started)
        }
        let isFirst = known.map { !runs[$0].isAnnounced } ?? true
        if let known { runs.remove(at: known) }
        remember(CountedRun(id: metadata.session, isEnded: true))
        countEnd(status, of: metadata.release, begun: metadata.started)
        add(
            ReportedSession(
                metadata,
                isFirst: isFirst,
                sequence: 1,
                status: status,
                date: date,
                errors: errors
            )
        )
        return true
    }

    private mutating func remember(_ run: CountedRun) {
        runs.append(run)
        let ended = runs.indices.filter { runs[$0].isEnded }
        if ended.count > CountedRun.endedLimit {
            runs.remove(at: ended[0])
        } else if runs.count > CountedRun.limit {
            runs.removeFirst()
        }
    }

    /// Records that the first update of a session is dropped, so that the next update is the first.
    mutating func forgetAnnouncement(of session: ReportedSession) {
        guard session.isFirst, let index = runs.firstIndex(where: { $0.id == session.id }) else {
            return
        }
        runs[index].isAnnounced = false
    }
}

extension ReportedSession {
    /// Sessions do not pass through `beforeSend`, so they contain no user.
    fileprivate init(
        _ metadata: RunMetadata,
        isFirst: Bool,
        sequence: Int,
        status: Status,
        date: Date,
        errors: Int
    ) {
        self.init(
            id: metadata.session,
            isFirst: isFirst,
            sequence: sequence,
            status: status,
            started: metadata.started,
            date: date,
            errors: errors,
            release: metadata.release,
            environment: metadata.environment
        )
    }
}
