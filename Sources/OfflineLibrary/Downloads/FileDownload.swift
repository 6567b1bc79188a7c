// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP
import TidingsSQLite

/// Fetches an item's address: to its end when it is a file, up to the playlist when it is a stream.
struct FileDownload: Sendable {
    /// What the address leads to.
    enum Outcome: Sendable {
        /// The whole file lies under the item's partial name.
        case file
        /// The address is an HLS playlist; the head tells where it came from in the end.
        case playlist([UInt8], HTTPResponseHead)
    }

    /// A sync after this many bytes, or after `syncInterval`, whichever comes first.
    static let syncBytes: Int64 = 64 << 20
    static let syncInterval = Duration.seconds(10)

    let environment: DownloadEnvironment
    let route: HTTPClients.Route
    let id: ItemID

    private var partial: String { environment.directory.partialFile(of: id) }

    /// Fetches with retries; goes on where an earlier run or try stopped.
    func run() async throws(DownloadError) -> Outcome {
        try await environment.retrying(id, at: route.address) {
            Disk.size(of: partial) ?? 0
        } work: {
            var plan = try resumePlan()
            while true {
                do {
                    return try await attempt(plan)
                } catch let error as HTTPError {
                    guard let again = error.cause as? AskAgain else { throw error }
                    plan = .fresh(note: again.note)
                }
            }
        }
    }

    private func resumePlan() throws -> ResumePlan {
        ResumePlan(
            record: try environment.journal.registry.transfer(of: id),
            fileSize: Disk.size(of: partial) ?? 0,
            bootID: environment.bootID
        )
    }

    private func attempt(_ plan: ResumePlan) async throws -> Outcome {
        var request = route.request(route.address)
        plan.apply(to: &request)
        let syncs = SyncSchedule(every: Self.syncBytes)
        let receiver = FileReceiver(plan: plan, syncs: syncs) { head in
            try resume(plan, head)
        } begin: { beginning in
            try begin(beginning)
        } progress: { count in
            environment.board.update(id) { $0.receivedBytes += count }
        }
        async let syncing: Void = keepSynced(receiver, syncs)
        let transfer: HTTPTransfer
        do {
            defer { syncs.finish() }
            transfer = try await route.client.perform(request, receiver: receiver)
        } catch {
            await syncing
            // What arrived before the failure is worth keeping for the next try.
            try? await offload { try syncNow(receiver) }
            throw error
        }
        await syncing
        try syncs.throwFailure()
        let outcome = try await outcome(receiver)
        if case .file = outcome, transfer.bodyEnd == .connectionClosed { try noteUnknownLength() }
        return outcome
    }

    /// Cuts the file to what the plan keeps; from here on its bytes belong to this boot.
    private func resume(_ plan: ResumePlan, _ head: HTTPResponseHead) throws -> OutputFile {
        let journal = environment.journal
        let output = try OutputFile(path: partial, keeping: plan.offset)
        var record = try journal.registry.transfer(of: id)
        record.totalBytes = plan.totalBytes ?? head.contentRange?.total
        record.syncedBytes = min(record.syncedBytes, plan.offset)
        record.bootID = environment.bootID
        try journal.registry.setTransfer(record, of: id)
        try journal.change(id, .state(.fetching))
        let total = record.totalBytes
        environment.board.update(id) { progress in
            progress.receivedBytes = plan.offset
            progress.totalBytes = total
        }
        return output
    }

    /// Removes the old bytes, records the new version, then opens the file: at no moment do bytes
    /// of one version lie on disk beside another's record.
    private func begin(_ beginning: FileReceiver.Beginning) throws -> OutputFile {
        let head = beginning.head
        let journal = environment.journal
        try Disk.makeFolder(environment.directory.work(of: id))
        try Disk.removeFile(partial)
        try journal.registry.setTransfer(
            TransferRecord(
                validator: head.strongValidator,
                totalBytes: head.contentLength,
                syncedBytes: 0,
                bootID: environment.bootID
            ),
            of: id
        )
        environment.reachCheckpoint(.afterVersionCommit)
        try journal.change(
            id,
            .kind(.file),
            .state(.fetching),
            .mediaType(head.contentType ?? beginning.kind.mediaType),
            .note(beginning.note)
        )
        environment.board.update(id) { progress in
            progress.receivedBytes = 0
            progress.totalBytes = head.contentLength
        }
        return try OutputFile(path: partial, keeping: 0)
    }

    private func outcome(_ receiver: FileReceiver) async throws -> Outcome {
        switch try receiver.finish() {
        case .playlist(let bytes, let head):
            return .playlist(bytes, head)
        case .file(let output):
            try await offload { try sync(output) }
            let length = output.length
            let total = try environment.journal.registry.transfer(of: id).totalBytes
            if let total, length != total { throw Self.wrongLength(length, total) }
            return .file
        case .alreadyWhole:
            return .file
        case .empty:
            throw DownloadError(
                .unsupported,
                "The server sent nothing. Check the address, then try again."
            )
        }
    }

    /// A server may send a shorter part than it was asked for; the next try asks for the rest.
    private static func wrongLength(_ length: Int64, _ total: Int64) -> DownloadError {
        var error = DownloadError(
            .changed,
            "The server sent \(length) bytes of a file of \(total). Try again."
        )
        error.isTransient = length < total
        return error
    }

    /// Syncs when enough has arrived or enough time has passed, and records it after.
    private func keepSynced(_ receiver: FileReceiver, _ syncs: SyncSchedule) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                while (try? await environment.clock.sleep(for: Self.syncInterval)) != nil {
                    syncs.request()
                }
            }
            for await _ in syncs.requests {
                do {
                    try await offload { try syncNow(receiver) }
                } catch {
                    syncs.fail(error)
                }
            }
            group.cancelAll()
        }
    }

    private func syncNow(_ receiver: FileReceiver) throws {
        if let output = receiver.output { try sync(output) }
    }

    private func sync(_ output: OutputFile) throws {
        let registry = environment.journal.registry
        do {
            try registry.setSyncedBytes(try output.sync(), of: id)
        } catch let error as DiskError {
            // The system forgets what it could not write: as after a reboot, only what was synced
            // before still counts.
            var record = try registry.transfer(of: id)
            record.bootID = nil
            try registry.setTransfer(record, of: id)
            throw error
        }
    }

    private func noteUnknownLength() throws {
        let journal = environment.journal
        guard try journal.registry.transfer(of: id).totalBytes == nil else { return }
        let text = "The server did not say how long the file is; look whether its end is there."
        let earlier = try journal.registry.item(id)?.note
        let note = [earlier, text].compactMap { $0 }.joined(separator: " ")
        try journal.change(id, .note(note))
    }
}
