// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsFiles
import TidingsHTTP

/// Records the plan of an item and fetches the parts that are not on disk.
struct PartsDownload: Sendable {
    let environment: DownloadEnvironment
    let endpoint: HTTPClients.Endpoint
    let item: MediaItem
    /// The extras that remain when a stream starts over.
    var extras = StatedExtras()
    let versions = FileVersions()

    private var id: ItemID { item.id }
    private var directory: LibraryDirectory { environment.directory }

    /// Returns the recorded parts and clears the sizes that do not match the files on disk.
    func recordedParts() throws -> [PartRecord] {
        var records = try environment.journal.downloads.parts(of: id)
        let lost = records.indices.filter { index in
            guard let size = records[index].size else { return false }
            return SystemFile.size(of: directory.part(records[index].fileName, of: id)) != size
        }
        try environment.journal.downloads.clearSizes(of: lost.map { records[$0].id }, in: id)
        for index in lost { records[index].size = nil }
        return records
    }

    /// Records a plan and returns its parts.
    ///
    /// Recorded parts keep their files if the server still has the same media.
    func record(_ plan: MediaPlan, over recorded: [PartRecord]) async throws -> [PartRecord] {
        let known = try environment.journal.downloads.tracks(of: id)
        let texts = recorded.filter { $0.isText(in: known) }
        let media = recorded.filter { !$0.isText(in: known) }
        let replaced = ReplacedAddress(directory: directory, id: id)
        let isReplaced = replaced.isMarked
        let matching = plan.keeping(media, isReplaced: isReplaced)
        let check = PartsCheck(
            environment: environment,
            endpoint: endpoint,
            id: id,
            versions: versions
        )
        let isChanged = try await check.findsChange(in: matching ?? [])
        let withTexts =
            matching.map { plan.keepingTexts(texts, in: $0, isReplaced: isReplaced) } ?? []
        let finished = withTexts.filter { $0.part.isText && $0.size != nil }
        var kept = isChanged ? nil : matching
        if kept != nil, try await !areChanged(finished, check) { kept = withTexts }
        // Bytes of a file are on disk if the item's address returned a file before the stream.
        let stored = StoredBytes(directory: directory, id: id)
        let replacesFile = stored.count > 0
        var note: String?
        if replacesFile {
            note = "Started over: the address now returns a stream instead of a file."
        }
        let startsOver = kept == nil && !recorded.isEmpty
        // The extras must go before the files. Without the files, the next run would not detect
        // that the stream starts over.
        if startsOver || replacesFile { try environment.removeExtras(of: id, except: extras) }
        if startsOver {
            note =
                isReplaced
                ? "Started over: the new address has another stream."
                : "Started over: the server's stream changed."
            SystemFile.removeFolder(directory.parts(of: id))
        }
        let records = kept.map(check.withConfirmedVersions) ?? plan.newRecords()
        try SystemFile.makeFolder(directory.work(of: id))
        try SystemFile.makeFolder(directory.parts(of: id))
        try environment.journal.downloads.setParts(
            records,
            tracks: plan.tracks.map(\.description),
            of: id
        )
        if let title = plan.title {
            try environment.journal.change(id, .title(title, from: .playlist))
        }
        if !plan.chapters.isEmpty {
            try environment.journal.files.setChapters(plan.chapters, of: id)
        }
        let notes = ItemNote(note.map { [$0] } ?? [], after: item.note).adding(plan.notes)
        try environment.journal.advance(id, .fetch, with: .set(\.note, notes.text))
        if replacesFile {
            try environment.journal.downloads.setTransfer(TransferRecord(), of: id)
            try environment.journal.change(id, .set(\.mediaType, nil))
            try stored.remove()
        }
        try replaced.clear()
        return records
    }

    /// Returns whether the subtitles on the server may differ from the subtitles on disk.
    private func areChanged(_ texts: [PartRecord], _ check: PartsCheck) async throws -> Bool {
        do {
            return try await check.findsChange(in: texts)
        } catch {
            guard DownloadError(error).concernsOneLanguage else { throw error }
            return true
        }
    }

    /// Fetches the parts without a size.
    ///
    /// - Throws: `DownloadError`. Complete parts stay on disk for the next run.
    func fetch(_ records: [PartRecord]) async throws {
        let missing = records.filter(\.isOutstanding)
        environment.progress.update(id) { progress in
            let count = records.count { !$0.part.isGap }
            progress.totalSegments = count
            progress.doneSegments = count - missing.count
            progress.receivedBytes = records.reduce(0) { $0 + ($1.size ?? 0) }
        }
        let pace = PartPace(on: environment.clock)
        let download = PartDownload(
            environment: environment,
            endpoint: endpoint,
            id: id,
            keys: KeyCache(hosts: environment.hosts),
            versions: versions,
            pace: pace
        )
        let tracks = try environment.journal.downloads.tracks(of: id)
        // If the item has no other tracks, the subtitles are the item and therefore not optional.
        func isOptional(_ record: PartRecord) -> Bool {
            record.part.isText && !tracks.areTextsAlone
        }
        var failures = PartFailures(of: records.filter { !isOptional($0) }, in: tracks)
        var lostTexts: [Int: DownloadError] = [:]
        try await withThrowingTaskGroup(of: PartOutcome.self) { group in
            var waiting = missing[...]
            var running = 0
            func startMore() {
                while running < min(pace.count, permitted(running)), !failures.isLimitReached {
                    waiting = waiting.drop { lostTexts[$0.id.track] != nil }
                    guard let record = waiting.first,
                        let task = task(
                            record,
                            isOptional: isOptional(record),
                            download,
                            running: running
                        )
                    else { return }
                    waiting.removeFirst()
                    running += 1
                    group.addTask { try await task() }
                }
            }
            startMore()
            while running > 0, let outcome = try await group.next() {
                running -= 1
                switch outcome {
                case .fetched(let bytes):
                    pace.finish(bytes, running: running, permitted: permitted(running))
                case .failed(let failure) where failure.isOfText:
                    lostTexts[failure.part.track] = failure.error
                case .failed(let failure):
                    failures.append(failure)
                }
                startMore()
            }
        }
        if let error = failures.error { throw error }
        try leaveOut(lostTexts)
    }

    /// Records subtitles as left out, with a note for each language.
    private func leaveOut(_ texts: [Int: DownloadError]) throws {
        guard !texts.isEmpty, let item = try environment.journal.items.item(id) else { return }
        let tracks = try environment.journal.downloads.tracks(of: id)
        var note = ItemNote(after: item.note)
        for (track, error) in texts.sorted(by: { $0.key < $1.key }) {
            try environment.journal.downloads.removeParts(ofTrack: track, in: id)
            let language = tracks.indices.contains(track) ? tracks[track].language : nil
            note = note.adding([
                "Subtitles were left out: \(SubtitleLanguage.title(language)). \(error.message)"
            ])
        }
        try environment.journal.change(id, .set(\.note, note.text))
    }

    /// The number of requests that may run, apart from the limit of the part's own pace.
    private func permitted(_ running: Int) -> Int {
        // More requests are not faster while the speed is limited.
        if endpoint.isLimited { return max(running, PartParallelism.first) }
        // The first requests wait for places themselves, so that a higher limit takes effect
        // immediately.
        return max(environment.hosts.limit ?? .max, PartParallelism.first)
    }

    /// Returns the task of a part, or nil if the host must not get another request now.
    private func task(
        _ record: PartRecord,
        isOptional: Bool,
        _ download: PartDownload,
        running: Int
    ) -> (@Sendable () async throws -> PartOutcome)? {
        let (places, host) = (environment.parts, record.part.address.host)
        let isFurther = running >= PartParallelism.first
        guard places.enter(host, isFurther: isFurther) else { return nil }
        return {
            defer { places.leave(host) }
            return try await attempt(record, isOptional: isOptional, download)
        }
    }

    private enum PartOutcome: Sendable {
        /// The part is on disk and has this size.
        case fetched(Int64)
        case failed(PartFailures.Entry)
    }

    /// Fetches a part.
    ///
    /// - Throws: An error that affects all parts, such as a full disk.
    private func attempt(
        _ record: PartRecord,
        isOptional: Bool,
        _ download: PartDownload
    ) async throws -> PartOutcome {
        do throws(DownloadError) {
            let bytes = try await download.run(record)
            environment.progress.update(id) { $0.doneSegments = ($0.doneSegments ?? 0) + 1 }
            return .fetched(bytes)
        } catch {
            guard isOptional ? error.concernsOneLanguage : error.concernsOnePart
            else { throw error }
            return .failed(PartFailures.Entry(part: record.id, error: error, isOfText: isOptional))
        }
    }
}
