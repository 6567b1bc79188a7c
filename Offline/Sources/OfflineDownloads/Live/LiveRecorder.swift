// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings

/// Records the tracks of a live stream: follows the playlists and fetches new segments.
///
/// For each playlist, the registry commits the new parts and the position before the recorder
/// fetches the parts. A later run therefore continues after these parts.
struct LiveRecorder: Sendable {
    let environment: DownloadEnvironment
    let endpoint: HTTPClients.Endpoint
    let id: ItemID
    let source: any LiveSource
    let limit: Double?

    /// The longest pause between two attempts at a segment, because the server soon deletes the
    /// segment.
    private static let longestDelay = Duration.seconds(2)

    private var journal: ItemJournal { environment.journal }

    /// Returns when the recording is over.
    ///
    /// Segments may still be outstanding.
    ///
    /// - Throws: An error that interrupts the recording, such as a full disk or the end of the
    ///   process.
    func run(_ stream: LiveStream, from windows: [LiveWindow]) async throws {
        let missing = try outstanding()
        let (parts, queue) = AsyncStream.makeStream(of: [PartRecord].self)
        queue.yield(missing)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await fetch(parts) }
            group.addTask {
                defer { queue.finish() }
                try await untilStopped { try await follow(stream, windows, into: queue) }
            }
            do {
                while try await group.next() != nil {}
            } catch {
                group.cancelAll()
                throw error
            }
        }
    }

    /// Runs the work until the work ends or the user stops the recording.
    private func untilStopped(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let token = environment.journal.messages.observe(ItemChanged.self) { [id] message in
            if message.item.id == id, message.item.live?.isOver == true { stop.finish() }
        }
        defer { token.cancel() }
        guard try journal.items.item(id)?.live?.isOver != true else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work() }
            group.addTask {
                for await _ in stops {}
                try Task.checkCancellation()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func follow(
        _ stream: LiveStream,
        _ windows: [LiveWindow],
        into queue: AsyncStream<[PartRecord]>.Continuation
    ) async throws {
        let leader = LiveLeader()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, track) in stream.tracks.enumerated() {
                let follower = LiveFollower(
                    recorder: self,
                    number: number,
                    track: track,
                    leader: leader,
                    add: { queue.yield($0) }
                )
                let window = windows[number]
                group.addTask {
                    try await follower.run(from: window)
                    if number == 0 { leader.end(at: 0) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Fetches the parts as they arrive.
    ///
    /// Failed parts stay outstanding.
    private func fetch(_ batches: AsyncStream<[PartRecord]>) async throws {
        var environment = environment
        environment.retries.longestDelay = min(environment.retries.longestDelay, Self.longestDelay)
        let (recorder, keys) = (with(environment), KeyCache(hosts: environment.hosts))
        try await withThrowingTaskGroup(of: DownloadError?.self) { group in
            var running = 0
            for await batch in batches {
                for record in batch {
                    if running == DownloadEnvironment.partTransfers {
                        _ = try await group.next()
                        running -= 1
                    }
                    running += 1
                    group.addTask { try await recorder.attempt(record, keys) }
                }
            }
            while try await group.next() != nil {}
        }
    }

    /// Returns the failure of the part, or nil if the part is on disk.
    ///
    /// - Throws: An error that affects all parts, such as a full disk.
    private func attempt(_ record: PartRecord, _ keys: KeyCache) async throws -> DownloadError? {
        let download = PartDownload(
            environment: environment,
            endpoint: endpoint,
            id: id,
            keys: keys,
            // The version of a file that still grows changes with each segment.
            versions: FileVersions()
        )
        do throws(DownloadError) {
            _ = try await download.run(record)
            environment.progress.update(id) { $0.doneSegments = ($0.doneSegments ?? 0) + 1 }
            return nil
        } catch {
            let isText = record.part.isText
            guard isText ? error.concernsOneLanguage : error.concernsOnePart else { throw error }
            return error
        }
    }

    /// Returns the parts that are neither on disk nor lost.
    private func outstanding() throws -> [PartRecord] {
        let tracks = try journal.downloads.tracks(of: id)
        return try journal.downloads.parts(of: id).filter(\.isOutstanding).map { record in
            var record = record
            record.part.isText = record.isText(in: tracks)
            return record
        }
    }

    private func with(_ environment: DownloadEnvironment) -> LiveRecorder {
        LiveRecorder(
            environment: environment,
            endpoint: endpoint,
            id: id,
            source: source,
            limit: limit
        )
    }

    /// Fetches the outstanding parts once more, and turns lost parts into gaps.
    ///
    /// - Throws: The last failure if no segment was recorded at all.
    func settle() async throws {
        var failure: DownloadError?
        let keys = KeyCache(hosts: environment.hosts)
        try await withThrowingTaskGroup(of: DownloadError?.self) { group in
            var running = 0
            for record in try outstanding() {
                if running == DownloadEnvironment.partTransfers {
                    failure = (try await group.next() ?? nil) ?? failure
                    running -= 1
                }
                running += 1
                group.addTask { try await attempt(record, keys) }
            }
            while let result = try await group.next() { failure = result ?? failure }
        }
        let tracks = try journal.downloads.tracks(of: id)
        let settlement = LiveSettlement(try journal.downloads.parts(of: id), tracks)
        guard settlement.records.contains(where: { $0.size != nil && $0.id.track == 0 }) else {
            try forget()
            throw failure
                ?? DownloadError(
                    .missingSegments,
                    "The stream sent no segment. Try again when it is on."
                )
        }
        try journal.downloads.setParts(settlement.records, tracks: settlement.tracks, of: id)
        try noteGaps()
        try note { $0.adding(settlement.notes) }
    }

    /// Discards a recording without a segment, so that the next attempt starts a new recording.
    private func forget() throws {
        try journal.downloads.setRecording([], of: id)
        guard var live = try journal.items.item(id)?.live else { return }
        live.isOver = false
        try environment.journal.change(id, .set(\.live, live))
    }
}
