// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsLock

/// The run of this process, with metadata, a file and pending events.
final class CurrentRun: Sendable {
    /// The scope and the breadcrumbs at the time of a recording.
    struct Snapshot: Sendable {
        let scope: ScopeRecord
        let breadcrumbs: BreadcrumbRing
    }

    let metadata: RunMetadata
    let file: RunFile
    let calls = CallStack()
    /// The reason since the start why records end with the process, or nil if there is none.
    private let initialFailure: SystemError?
    /// The folder, or nil if the folder could not be created.
    private let folder: RunFolder?
    private let snapshots = Lock<[PendingEvent: Snapshot]>([:])
    private let images = Lock<ImageList?>(nil)
    private let generation: Int

    init(
        _ configuration: CrashReporter.Configuration,
        writer: RedactingWriter = RedactingWriter(redactor: Redactor())
    ) {
        ForkMonitor.start()
        generation = ForkMonitor.generation
        metadata = .current(
            application: configuration.application,
            release: configuration.release,
            environment: configuration.environment,
            dist: configuration.dist,
            serverName: configuration.serverName,
            attachments: configuration.crashAttachments,
            started: configuration.now(),
            writer: writer
        )
        do throws(SystemError) {
            let folder = try RunFolder.create(in: configuration.directory, metadata: metadata)
            self.folder = folder
            file = RunFile(at: folder.livePath)
            initialFailure = file.failure
        } catch {
            folder = nil
            file = RunFile(at: nil)
            initialFailure = error
        }
        CleanExit.register(file)
    }

    /// The reason why records end with the process, or nil if records outlive the process.
    ///
    /// Another program may have deleted or truncated the file since the start.
    var failure: SystemError? {
        if let initialFailure { return initialFailure }
        guard let path = folder?.livePath, SystemFile.size(of: path) != Int64(RunLayout.size)
        else { return nil }
        return SystemError("read", path: path, number: EIO)
    }

    /// Whether this process owns the run, rather than being a forked child of the owner.
    var isOwn: Bool { generation == ForkMonitor.generation }

    /// The paths for crash reports, or nil without a folder.
    var paths: (reports: [String], images: String)? {
        folder.map { ($0.capturePaths, $0.imagesPath) }
    }

    /// The folder to exclude from a search for ended runs.
    var ownFolder: RunFolder? { folder }

    /// Stores an event until its report is assembled, with the current scope and breadcrumbs.
    ///
    /// - Returns: Whether there was space for the event.
    func keep(_ event: EventRecord, with snapshot: Snapshot) -> Bool {
        let bytes = event.bytes
        return snapshots.withLock { snapshots in
            guard let pendingEvent = file.append(event: bytes, isFatal: event.level == .fatal)
            else {
                return false
            }
            snapshots[pendingEvent] = snapshot
            return true
        }
    }

    /// Returns the oldest pending event, where `event` is nil if the event cannot be decoded.
    func first() -> (pendingEvent: PendingEvent, event: EventRecord?, snapshot: Snapshot?)? {
        let first = snapshots.withLock { snapshots -> (PendingEvent, [UInt8], Snapshot?)? in
            guard let (pendingEvent, bytes) = file.firstEvent() else { return nil }
            // The full file has evicted the earlier events.
            snapshots = snapshots.filter { $0.key.sequence >= pendingEvent.sequence }
            return (pendingEvent, bytes, snapshots[pendingEvent])
        }
        return first.map { ($0.0, EventRecord($0.1), $0.2) }
    }

    /// Removes an event whose report is stored.
    func finish(_ pendingEvent: PendingEvent) {
        snapshots.withLock { snapshots in
            file.finish(pendingEvent)
            snapshots[pendingEvent] = nil
        }
    }

    /// Discards the records and the survived crashes of this run, but keeps the scope.
    func discardRecords(at now: Date) {
        let gone = snapshots.withLock { snapshots in
            file.discardRecords()
            defer { snapshots = [:] }
            return snapshots
        }
        withExtendedLifetime(gone) {}
        for path in folder?.capturePaths ?? [] { CaptureFile.clear(path, at: now) }
    }

    /// Returns the loaded images, listed again if an address is in no known image.
    func images(for frames: [RawCapture.Frame], _ symbolicator: any Symbolicator) -> ImageList {
        let known = images.withLock { $0 }
        if let known, frames.allSatisfy({ known.image(at: $0.address) != nil }) { return known }
        let now = symbolicator.captureImages()
        images.withLock { $0 = now }
        return now
    }

    /// Marks the run as ended normally and releases its folder for the next start.
    ///
    /// A forked child has the same files, but the child's end is not the end of the run.
    func end() {
        guard metadata.process == getpid() else { return }
        file.markClean()
        folder?.release()
    }
}
