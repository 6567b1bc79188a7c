// SPDX-License-Identifier: Apache-2.0
import OfflineMedia
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsFiles
import TidingsHTTP
import TidingsSQLite

/// Fetches an item's address, which has either the media or only a description of the media.
///
/// The sources recognize the content during the transfer, so that a file needs no second request.
struct AddressDownload: Sendable {
    /// The content at the address.
    enum Outcome: Sendable {
        /// The media, which is complete at the item's partial path.
        case whole
        /// The description of the media, with the source that recognized the description.
        case description(any DescribedSource, SourceDocument)
        /// The page that names the address of the media, with the source that recognized the page.
        case reference(any ReferringSource, SourceDocument)
    }

    /// The number of unsynced bytes that causes a sync.
    static let syncBytes: Int64 = 64 << 20
    /// The time between two syncs of a slower transfer.
    static let syncInterval = Duration.seconds(10)

    let environment: DownloadEnvironment
    var endpoint: HTTPClients.Endpoint
    let id: ItemID
    /// The sentences for the user at the start of the note of a new file.
    var notes: [String] = []
    /// The choice of the item.
    ///
    /// A file may not fulfil every part of the choice.
    var choice = MediaChoice()
    /// The extras that a new file keeps.
    var extras = StatedExtras()

    private var replaced: ReplacedAddress {
        ReplacedAddress(directory: environment.directory, id: id)
    }
    private var stored: StoredBytes { StoredBytes(directory: environment.directory, id: id) }

    /// Fetches the address with retries.
    ///
    /// Each retry resumes at the end of the stored bytes.
    func run() async throws(DownloadError) -> Outcome {
        var check = DescriptionCheck()
        var limit = ConnectionCount.maximum
        var download = self
        return try await environment.retrying(id, at: endpoint.address) {
            stored.count
        } work: {
            var plan = try resumePlan()
            while true {
                let before = stored.count
                // Only a live stream cannot wait, and stored bytes are never part of a live stream.
                if plan.offset > 0 { download.endpoint.isLive = false }
                switch try await download.attempt(plan, limit: &limit) {
                case .ended(let outcome):
                    switch outcome {
                    case .whole: break
                    case .description(let source, let document):
                        try check.accept(document, of: source)
                    case .reference(let source, let document):
                        try check.accept(document, of: source)
                    }
                    return outcome
                case .wholeFileRequired(let note): plan = .fresh(note: note)
                case .notLive: download.endpoint.isLive = false
                case .incomplete:
                    guard stored.count > before else {
                        throw DownloadError(incompleteResponseOf: endpoint.address)
                    }
                    plan = try resumePlan()
                }
            }
        }
    }

    private func resumePlan() throws -> ResumePlan {
        var plan = try planOfStoredBytes()
        plan.isOfOtherAddress = replaced.isMarked
        return plan
    }

    private func planOfStoredBytes() throws -> ResumePlan {
        let record = try environment.journal.downloads.transfer(of: id)
        if stored.isSpread {
            let ranges = stored.ranges(record, bootID: environment.bootID)
            if let plan = ResumePlan(record: record, ranges: ranges) { return plan }
            try stored.join(keeping: ranges.prefix)
        }
        return ResumePlan(
            record: record,
            fileSize: SystemFile.size(of: stored.partial) ?? 0,
            bootID: environment.bootID
        )
    }

    /// The result of one request.
    private enum Attempt {
        case ended(Outcome)
        /// The response does not continue the bytes on disk. The note gives the reason to the user.
        case wholeFileRequired(note: String)
        /// The address has a file instead of a live stream, and a file waits for its place.
        case notLive
        /// Ranges of the file are missing.
        case incomplete
    }

    private func attempt(_ plan: ResumePlan, limit: inout Int) async throws -> Attempt {
        var request = endpoint.request(endpoint.address)
        plan.apply(to: &request)
        let syncs = SyncSchedule(every: Self.syncBytes)
        let host = request.address.host
        let place = try await environment.hosts.enter(host, isLive: endpoint.isLive)
        defer { place.leave() }
        let receiver = AddressReceiver(
            plan: plan,
            isLive: endpoint.isLive,
            place: place,
            sources: environment.sources,
            syncs: syncs
        ) { head in
            try resume(plan, head)
        } begin: { newFile in
            try begin(newFile)
        } progress: { count in
            environment.progress.update(id) { $0.receivedBytes += count }
        }
        async let syncing: Void = keepSynced(receiver, syncs)
        var connections = FileConnections(environment, endpoint, receiver, limit: limit)
        defer { limit = connections.limit }
        let end: FileConnections.Outcome
        do {
            defer { syncs.finish() }
            end = try await connections.perform(request, at: place)
        } catch {
            await syncing
            // The next attempt continues after the bytes that arrived before the failure.
            try? await performBlocking { try syncNow(receiver) }
            throw error
        }
        await syncing
        try syncs.throwFailure()
        switch end {
        case .single(let transfer): return try await attempt(receiver, endedWith: transfer)
        case .complete:
            try await performBlocking { try join(receiver) }
            return .ended(.whole)
        case .incomplete: return .incomplete
        case .changed:
            return .wholeFileRequired(note: "Started over: the server's file changed.")
        }
    }

    private func attempt(
        _ receiver: AddressReceiver,
        endedWith transfer: HTTPTransfer
    ) async throws -> Attempt {
        if case .stopped(.restart(let note)) = transfer.bodyEnd {
            return .wholeFileRequired(note: note)
        }
        if receiver.isNotLive { return .notLive }
        let outcome = try await outcome(receiver, transfer)
        if case .whole = outcome, !transfer.bodyEnd.isProven { try await checkUnknownLength() }
        return .ended(outcome)
    }

    private func join(_ receiver: AddressReceiver) throws {
        guard let file = receiver.output else { return }
        try sync(file)
        try file.join()
    }

    /// Truncates the file to the bytes that the plan keeps, and records these bytes under the
    /// current boot.
    private func resume(_ plan: ResumePlan, _ head: HTTPResponseHead) throws -> PartialFile {
        let journal = environment.journal
        if let total = plan.totalBytes ?? head.contentRange?.total {
            try environment.space.require(total - plan.keptBytes)
        }
        let output = try open(plan)
        var record = try journal.downloads.transfer(of: id)
        record.totalBytes = plan.totalBytes ?? head.contentRange?.total
        record.syncedBytes = min(record.syncedBytes, plan.offset)
        record.bootID = environment.bootID
        try journal.downloads.setTransfer(record, of: id)
        try replaced.clear()
        try journal.advance(id, .fetch)
        let total = record.totalBytes
        environment.progress.update(id) { progress in
            progress.receivedBytes = plan.keptBytes
            progress.totalBytes = total
        }
        return output
    }

    private func open(_ plan: ResumePlan) throws -> PartialFile {
        guard let ranges = plan.ranges, let size = plan.totalBytes else {
            return try PartialFile(stored, keeping: plan.offset)
        }
        do {
            return try PartialFile(stored, keeping: ranges, size: size)
        } catch {
            // The system reports a lost write only once. From now on, only bytes that earlier syncs
            // have recorded count.
            var record = try environment.journal.downloads.transfer(of: id)
            record.bootID = nil
            try environment.journal.downloads.setTransfer(record, of: id)
            throw error
        }
    }

    /// Removes the old content, records the new version and opens an empty file.
    ///
    /// With this order, the disk never holds bytes of one version with the record of another
    /// version.
    private func begin(_ newFile: AddressReceiver.NewFile) throws -> PartialFile {
        let journal = environment.journal
        if newFile.kind == .file { try claimFile() }
        try SystemFile.makeFolder(environment.directory.work(of: id))
        try stored.remove()
        let stream = try removeStream()
        try environment.removeExtras(of: id, except: extras)
        try journal.downloads.setTransfer(
            TransferRecord(
                validator: newFile.head.strongValidator,
                totalBytes: newFile.part.totalBytes,
                syncedBytes: 0,
                bootID: environment.bootID
            ),
            of: id
        )
        try replaced.clear()
        environment.reachCheckpoint(.afterVersionCommit)
        // This check follows the record, because the size in the record states the space that the
        // paused item needs.
        if let total = newFile.part.totalBytes { try environment.space.require(total) }
        if let title = newFile.head.titleOfFile {
            try journal.change(id, .title(title, from: .server))
        }
        let asked = choice.beyond(try journal.preferences.settings().choice)
        try journal.advance(
            id,
            .fetch,
            with: .set(\.kind, newFile.kind),
            .set(\.mediaType, newFile.part.mediaType),
            .set(
                \.note,
                ItemNote(
                    notes + asked.notes(onFileOf: newFile.part.mediaType)
                        + [newFile.note, stream].compactMap { $0 }
                ).text
            )
        )
        environment.progress.update(id) { progress in
            progress.receivedBytes = 0
            progress.totalBytes = newFile.part.totalBytes
        }
        return try PartialFile(stored, keeping: 0)
    }

    /// Refuses a file that another item already keeps for another quality or language.
    private func claimFile() throws {
        let journal = environment.journal
        guard let other = try journal.claimFile(of: id, at: endpoint.address) else { return }
        throw DownloadError(
            .sameFile,
            "This address has one file for all qualities and languages, and item \(other) keeps "
                + "it. Remove this item, or add the address with --again for a second copy."
        )
    }

    /// Removes the parts of the stream that the address had before, and returns a note about the
    /// removal.
    private func removeStream() throws -> String? {
        let journal = environment.journal
        guard try journal.downloads.partCount(of: id) > 0 else { return nil }
        // The rows go first, because without rows no code reads the files.
        try journal.downloads.setParts([], of: id)
        let directory = environment.directory
        for folder in [
            directory.parts(of: id), directory.subtitles(of: id), directory.sections(of: id),
        ] {
            SystemFile.removeFolder(folder)
        }
        return
            "Started over: the \(replaced.isMarked ? "new " : "")address has a file instead of a "
            + "stream."
    }

    private func outcome(
        _ receiver: AddressReceiver,
        _ transfer: HTTPTransfer
    ) async throws -> Outcome {
        switch try receiver.finish(transfer) {
        case .description(let source, let document):
            return .description(source, document)
        case .reference(let source, let document):
            return .reference(source, document)
        case .file(let output):
            try await performBlocking { try sync(output) }
            let length = output.length
            let total = try environment.journal.downloads.transfer(of: id).totalBytes
            if let total, length != total { throw Self.wrongLength(length, total) }
            return .whole
        case .alreadyComplete:
            try replaced.clear()
            return .whole
        case .empty:
            throw DownloadError.emptyResponse
        }
    }

    /// Returns a transient error if bytes are missing.
    ///
    /// A server may send less than the requested range, and the next attempt then requests the
    /// rest.
    private static func wrongLength(_ length: Int64, _ total: Int64) -> DownloadError {
        var error = DownloadError(
            .changed,
            "The server sent \(length) bytes instead of \(total). Try again."
        )
        error.isTransient = length < total
        return error
    }

    /// Syncs on each request of the schedule and after each interval, and records the length.
    private func keepSynced(_ receiver: AddressReceiver, _ syncs: SyncSchedule) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await environment.clock.sleep(for: Self.syncInterval)) != nil {
                    syncs.request()
                }
            }
            for await _ in syncs.requests {
                do {
                    try await performBlocking { try syncNow(receiver) }
                } catch {
                    syncs.fail(error)
                }
            }
            group.cancelAll()
        }
    }

    private func syncNow(_ receiver: AddressReceiver) throws {
        if let output = receiver.output { try sync(output) }
    }

    private func sync(_ output: PartialFile) throws {
        let journal = environment.journal
        do {
            try journal.downloads.setSyncedBytes(try output.sync(), of: id)
        } catch let error as SystemError {
            // After a failed write, the system may drop the unsynced bytes. As after a reboot, only
            // the bytes of earlier syncs are valid.
            var record = try journal.downloads.transfer(of: id)
            record.bootID = nil
            try journal.downloads.setTransfer(record, of: id)
            throw error
        }
    }

    /// Checks the boxes of a body that only the end of the connection delimited.
    ///
    /// If the boxes prove nothing, the item gets a note.
    ///
    /// - Throws: `HTTPError` with `.cut` if the last box is incomplete. A retry starts over.
    private func checkUnknownLength() async throws {
        let journal = environment.journal
        guard try journal.downloads.transfer(of: id).totalBytes == nil else { return }
        let path = stored.partial
        let isWhole = try await performBlocking { () throws(SystemError) in
            try BoxScan.isWhole(path)
        }
        if isWhole == true { return }
        if isWhole == false {
            throw HTTPError(.cut, "The connection ended before the end of the film.")
        }
        let text = "The server did not announce the file's size. Check that the file is complete."
        let earlier = try journal.items.item(id)?.note
        let note = [earlier, text].compactMap { $0 }.joined(separator: " ")
        try journal.change(id, .set(\.note, note))
    }
}
