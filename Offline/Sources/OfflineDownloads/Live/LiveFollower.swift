// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings

/// Fetches one playlist of a live stream repeatedly, and records the new parts.
struct LiveFollower: Sendable {
    let recorder: LiveRecorder
    /// The number of the track.
    let number: Int
    let track: LiveStream.Track
    let leader: LiveLeader
    /// Fetches new parts.
    let add: @Sendable ([PartRecord]) -> Void

    /// The number of playlists without new segments that end a track after the pictures have ended.
    private static let lastCalls = 4

    private var environment: DownloadEnvironment { recorder.environment }
    private var id: ItemID { recorder.id }

    /// Follows the playlist to its end.
    ///
    /// - Throws: An error that interrupts the whole recording.
    func run(from window: LiveWindow) async throws {
        var state = State(window: window)
        let time = environment.clock.timer()
        let requests = requests()
        while true {
            let step = try await poll(&state, with: requests, time)
            if number > 0, let end = leader.seconds,
                state.quiet >= Self.lastCalls || state.window.seconds >= end
            {
                return
            }
            switch step {
            case .end(let end):
                if number == 0 { leader.end(at: state.window.seconds) }
                return try note(end, state)
            case .wait(let delay): try await wait(delay, state.reason)
            }
        }
    }

    /// The state between two requests.
    private struct State {
        var window: LiveWindow
        var pace = LivePace()
        /// The number of requests since the last new segment.
        var quiet = 0
        /// The message of the failure, if the last request failed.
        var reason: String?
    }

    /// Fetches the playlist once and records new parts.
    private func poll(
        _ state: inout State,
        with requests: SourceRequests,
        _ time: @Sendable () -> Duration
    ) async throws -> LivePace.Step {
        let begin = time()
        do {
            let playlist = try await recorder.source.window(of: track, with: requests)
            let addition = state.window.accept(playlist, until: recorder.limit)
            let isChanged = !addition.parts.isEmpty
            if isChanged { try record(addition.parts, state.window) }
            state.reason = nil
            state.quiet = isChanged ? 0 : state.quiet + 1
            if let end = addition.end { return .end(end) }
            return state.pace.succeed(
                target: playlist.targetDuration,
                isChanged: isChanged,
                since: begin,
                at: time()
            )
        } catch {
            let error = try recorder.bearable(error)
            state.reason = error.message
            state.quiet += 1
            return state.pace.fail(
                isFinal: !error.isTransient,
                retryAfter: error.retryAfter,
                since: begin,
                at: time()
            )
        }
    }

    /// Returns requests without pauses, because the pace of the playlist decides.
    private func requests() -> SourceRequests {
        var environment = environment
        // An immediate second response may prove that the first response was whole.
        environment.retries = DownloadRetryPolicy(
            maximumTries: 2,
            firstDelay: .zero,
            longestDelay: .zero,
            longestRetryAfter: .zero
        )
        return environment.requests(at: recorder.endpoint, of: id)
    }

    private func record(_ parts: [Part], _ window: LiveWindow) throws {
        let first = window.partCount - parts.count
        let records = parts.enumerated().map { offset, part in
            var part = part
            part.isText = track.description.content == .subtitles
            return PartRecord(PartID(track: number, number: first + offset), part)
        }
        try environment.journal.downloads.append(records, window, toTrack: number, of: id)
        if number == 0 {
            environment.progress.update(id) { $0.recordedSeconds = window.seconds }
        }
        if parts.contains(where: \.isGap) { try recorder.noteGaps() }
        add(records.filter(\.isOutstanding))
    }

    private func wait(_ delay: Duration, _ reason: String?) async throws {
        if let reason {
            environment.progress.update(id) { $0.waiting = "\(reason) Retrying automatically." }
        }
        defer { if reason != nil { environment.progress.update(id) { $0.waiting = nil } } }
        try await environment.clock.sleep(for: delay)
    }

    private func note(_ end: LiveEnd, _ state: State) throws {
        guard number == 0 else { return try noteLostTrack(end, state) }
        guard let sentence = end.note(at: state.window.seconds, state.reason) else { return }
        try recorder.note { $0.adding([sentence]) }
    }

    /// Notes that a track beside the pictures has ended before the pictures.
    private func noteLostTrack(_ end: LiveEnd, _ state: State) throws {
        guard end == .gone || end == .silent, !leader.isOver else { return }
        let content = track.description.content == .subtitles ? "The subtitles" : "The sound"
        let language = track.description.language.map { " (\($0))" } ?? ""
        let time = PlayTime.text(state.window.seconds)
        try recorder.note { $0.adding(["\(content)\(language) ended at \(time)."]) }
    }
}

extension Clock where Duration == Swift.Duration {
    /// Returns a function that returns the time since this call.
    func timer() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}
