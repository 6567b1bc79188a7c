// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsHTTP
import TidingsSQLite

/// The download of one item, from its row in the registry to its file in the library.
struct ItemDownload: Sendable {
    /// The outcome of a run.
    enum Outcome: Hashable, Sendable {
        /// The outcome is in the registry.
        case recorded
        /// The registry could not be written, perhaps because the disk is full. The row keeps the
        /// last state.
        case unrecorded(isDiskFull: Bool)
        /// The disk is full. The item is paused until the disk has space.
        case diskFull
        /// The network is missing. The item is queued and keeps the progress.
        case offline
    }

    let environment: DownloadEnvironment
    let id: ItemID

    /// The interval between two progress updates.
    private static let updateInterval = Duration.milliseconds(250)

    /// Downloads the item and returns when it is ready or has failed.
    ///
    /// Cancellation leaves the item queued for the next start. The method is concurrent, because
    /// disk operations block the method and must not block the queue's actor.
    @concurrent
    func run() async -> Outcome {
        environment.progress.begin(id)
        let outcome = await work()
        if outcome != .offline { environment.progress.end(id) }
        return outcome
    }

    private func work() async -> Outcome {
        let journal = environment.journal
        do {
            guard let item = try journal.move(id, .start) else { return .recorded }
            journal.post(DownloadStarted(item: item))
            let updates = Task { await postProgress() }
            let result = await Result { () async throws(DownloadError) in
                try await download(item)
            }
            updates.cancel()
            await updates.value
            guard let ready = try result.get() else { return .recorded }
            journal.post(DownloadCompleted(item: ready))
            return .recorded
        } catch {
            return fail(DownloadError(error))
        }
    }

    private func download(_ item: MediaItem) async throws(DownloadError) -> MediaItem? {
        if let ready = try Publication(environment: environment, item: item).recover() {
            return ready
        }
        let file: CompleteFile
        do {
            let options = try environment.journal.items.options(of: id)
            let limits = environment.clients.itemLimits
            let limit = limits.begin(id, options.limit)
            defer { limits.end(id) }
            var endpoint = try environment.clients.endpoint(
                for: item.origin,
                allowingPrivate: item.allowsPrivateAddresses,
                with: options,
                limit: limit
            )
            // The endpoint is live from the first request on, because neither the playlist nor the
            // segments may wait for a place.
            endpoint.isLive = item.isRecording
            file = try await ItemContent(environment: environment, item: item).file(at: endpoint)
        } catch {
            throw DownloadError(error)
        }
        return try await publish(file)
    }

    private func publish(_ file: CompleteFile) async throws(DownloadError) -> MediaItem? {
        let item: MediaItem?
        do {
            item = try environment.journal.items.item(id)
        } catch {
            throw DownloadError(error)
        }
        guard let item else { return nil }
        return try await Publication(environment: environment, item: item).run(file)
    }

    /// Posts the item's progress up to four times a second, whenever the progress has changed.
    private func postProgress() async {
        var meter = ProgressMeter()
        var last: DownloadProgress?
        var ticks = 0
        while var progress = environment.progress.progress(of: id) {
            progress.bytesPerSecond = meter.sample(
                progress.receivedBytes,
                at: Self.updateInterval * ticks
            )
            if progress != last {
                last = progress
                let update = progress
                environment.progress.update(id) { $0.bytesPerSecond = update.bytesPerSecond }
                environment.journal.post(DownloadProgressed(id: id, progress: update))
            }
            ticks += 1
            guard (try? await environment.clock.sleep(for: Self.updateInterval)) != nil else {
                return
            }
        }
    }

    private func fail(_ error: DownloadError) -> Outcome {
        let journal = environment.journal
        do {
            switch error.code {
            case .cancelled:
                _ = try environment.space.commit { () throws(SQLiteError) in
                    try journal.move(id, .interrupt)
                }
                return .recorded
            case .diskFull:
                return try pause(error)
            case .offline:
                environment.progress.update(id) { progress in
                    progress.waiting = error.message
                    progress.bytesPerSecond = nil
                }
                _ = try environment.space.commit { () throws(SQLiteError) in
                    try journal.move(id, .interrupt)
                }
                return .offline
            default:
                break
            }
            let failure = ItemFailure(code: error.code.description, message: error.message)
            let failed = try environment.space.commit { () throws(SQLiteError) in
                try journal.move(id, .fail, with: .set(\.error, failure))
            }
            if let item = failed {
                journal.post(DownloadFailed(item: item, error: error))
            }
            return .recorded
        } catch let failed {
            // The registry cannot be written. The row keeps the last state, so that the next start
            // resumes the item.
            let isInterruption = error.code == .cancelled || error.code == .offline
            let cause = isInterruption ? DownloadError(failed) : error
            if var item = try? journal.items.item(id) {
                item.fields.state = .failed
                item.fields.error = ItemFailure(
                    code: cause.code.description,
                    message: cause.message
                )
                journal.post(DownloadFailed(item: item, error: cause))
            }
            return .unrecorded(isDiskFull: DownloadError(failed).code == .diskFull)
        }
    }

    /// Pauses the item until the disk has space.
    private func pause(_ error: DownloadError) throws(SQLiteError) -> Outcome {
        let failure = ItemFailure(code: error.code.description, message: error.message)
        let paused = try environment.space.commit { () throws(SQLiteError) in
            try environment.journal.move(id, .pause, with: .set(\.error, failure))
        }
        if let item = paused {
            environment.journal.post(DownloadPaused(item: item, error: error))
        }
        return .diskFull
    }
}

extension Result {
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do throws(Failure) {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
