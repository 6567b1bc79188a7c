// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

/// What this process records, and where it lies.
final class CurrentRun: Sendable {
    /// What was known when an error was recorded.
    struct Moment: Sendable {
        let scope: ScopeRecord
        let breadcrumbs: [Breadcrumb]
    }

    let facts: RunFacts
    let file: RunFile
    let calls = CallStack()
    /// Why nothing outlives the process; nil when it does.
    let failure: SystemError?
    /// Nil when it could not be made.
    private let folder: RunFolder?
    private let moments = Lock<[EventTicket: Moment]>([:])
    private let images = Lock<ImageList?>(nil)
    private let generation: Int

    init(
        _ configuration: CrashReporter.Configuration,
        scribe: Scribe = Scribe(redactor: Redactor())
    ) {
        ForkedChild.watch()
        generation = ForkedChild.generation
        facts = .current(
            application: configuration.application,
            release: configuration.release,
            environment: configuration.environment,
            started: configuration.now(),
            scribe: scribe
        )
        do throws(SystemError) {
            let folder = try RunFolder.create(in: configuration.directory, facts: facts)
            self.folder = folder
            file = RunFile(at: folder.livePath)
            failure = file.failure
        } catch {
            folder = nil
            file = RunFile(at: nil)
            failure = error
        }
        CleanExit.mark(file)
    }

    /// Whether this is the process whose run it is, and not a child that it has forked.
    var isOwn: Bool { generation == ForkedChild.generation }

    /// Where crashes are written; nil without a folder.
    var places: (reports: [String], images: String)? {
        folder.map { ($0.capturePaths, $0.imagesPath) }
    }

    /// For those who look for the folders of others.
    var ownFolder: RunFolder? { folder }

    /// Keeps an event until its report is made, with what is known now.
    ///
    /// - Returns: Whether there was room for it.
    func keep(_ event: EventRecord, at moment: Moment) -> Bool {
        let bytes = event.bytes
        return moments.withLock { moments in
            guard let ticket = file.append(event: bytes, isFatal: event.level == .fatal) else {
                return false
            }
            moments[ticket] = moment
            return true
        }
    }

    /// The oldest event that waits for its report; nil for what of it cannot be read.
    func first() -> (ticket: EventTicket, event: EventRecord?, moment: Moment?)? {
        let first = moments.withLock { moments -> (EventTicket, [UInt8], Moment?)? in
            guard let (ticket, bytes) = file.firstEvent() else { return nil }
            // Those before it had to go, as the file was full.
            moments = moments.filter { $0.key.sequence >= ticket.sequence }
            return (ticket, bytes, moments[ticket])
        }
        return first.map { ($0.0, EventRecord($0.1), $0.2) }
    }

    /// Says that an event has its report.
    func finish(_ ticket: EventTicket) {
        moments.withLock { moments in
            file.finish(ticket)
            moments[ticket] = nil
        }
    }

    /// Forgets what was recorded, and of crashes those that were survived; the scope stays.
    func forgetRecords(at now: Date) {
        let gone = moments.withLock { moments in
            file.forgetRecords()
            defer { moments = [:] }
            return moments
        }
        withExtendedLifetime(gone) {}
        for path in folder?.capturePaths ?? [] { CaptureFile.clear(path, at: now) }
    }

    /// What is loaded, looked at again when an address lies in nothing that was known.
    func images(for frames: [RawCapture.Frame], _ symbolicator: any Symbolicator) -> ImageList {
        let known = images.withLock { $0 }
        if let known, frames.allSatisfy({ known.image(at: $0.address) != nil }) { return known }
        let now = symbolicator.captureImages()
        images.withLock { $0 = now }
        return now
    }

    /// Says that the run has ended by itself; the next start takes what is left of it.
    ///
    /// A child that was forked has the same files, but its end is not the run's.
    func end() {
        guard facts.process == getpid() else { return }
        file.markClean()
        folder?.release()
    }
}
