// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP

/// The whole way of one item, from its row to its file in the library.
struct ItemDownload: Sendable {
    /// How a run ended.
    enum End: Sendable {
        /// The registry knows how.
        case recorded
        /// The registry could not be told: the row has its last state.
        case unrecorded
        /// For want of a network: the item is queued, and how far it is stays on the board.
        case offline
    }

    let environment: DownloadEnvironment
    let id: ItemID

    private static let tick = Duration.milliseconds(250)

    /// Works until the item is ready or failed; a cancelled task leaves it queued for the next
    /// start.
    ///
    /// Runs beside its caller, for it waits for the disk.
    @concurrent
    func run() async -> End {
        environment.board.begin(id)
        let end = await work()
        if end != .offline { environment.board.end(id) }
        return end
    }

    private func work() async -> End {
        let journal = environment.journal
        do {
            guard let item = try journal.registry.item(id) else { return .recorded }
            journal.post(DownloadStarted(item: item))
            let ticking = Task { await tellProgress(of: item) }
            let result = await Result { () async throws(DownloadError) in
                try await download(item)
            }
            ticking.cancel()
            await ticking.value
            guard let ready = try result.get() else { return .recorded }
            journal.post(DownloadCompleted(item: ready))
            journal.delegates.notify(on: .main) {
                $0.downloadCompleted(downloadId: ready.id, mediaType: ready.mediaType)
            }
            return .recorded
        } catch {
            return fail(DownloadError(error))
        }
    }

    private func download(_ item: MediaItem) async throws(DownloadError) -> MediaItem? {
        if let ready = try Publication(environment: environment, item: item).recover() {
            return ready
        }
        let route = try environment.clients.route(for: item)
        var playlist: (bytes: [UInt8], head: HTTPResponseHead)?
        if item.kind != .stream {
            let outcome = try await FileDownload(environment: environment, route: route, id: id)
                .run()
            switch outcome {
            case .file:
                return try await publish(environment.directory.partialFile(of: id))
            case .playlist(let bytes, let head):
                playlist = (bytes, head)
            }
        }
        let path = try await StreamDownload(environment: environment, route: route, item: item)
            .run(playlist)
        return try await publish(path)
    }

    private func publish(_ path: String) async throws(DownloadError) -> MediaItem? {
        let item: MediaItem?
        do {
            item = try environment.journal.registry.item(id)
        } catch {
            throw DownloadError(error)
        }
        guard let item else { return nil }
        return try await Publication(environment: environment, item: item).run(path)
    }

    /// Four times a second while the item is on the board, but only what changed.
    private func tellProgress(of item: MediaItem) async {
        var meter = ProgressMeter()
        var last: DownloadProgress?
        var ticks = 0
        while var progress = environment.board.progress(of: id) {
            progress.bytesPerSecond = meter.sample(
                progress.receivedBytes,
                at: Self.tick * ticks
            )
            if progress != last {
                last = progress
                let told = progress
                environment.board.update(id) { $0.bytesPerSecond = told.bytesPerSecond }
                environment.journal.messages.post(DownloadProgressed(id: id, progress: told))
                environment.journal.delegates.notify(on: .main) {
                    $0.downloadProgress(downloadId: id, progress: told, mediaType: item.mediaType)
                }
            }
            ticks += 1
            guard (try? await environment.clock.sleep(for: Self.tick)) != nil else { return }
        }
    }

    private func fail(_ error: DownloadError) -> End {
        let journal = environment.journal
        do {
            switch error.code {
            case .cancelled:
                try journal.change(id, .state(.queued))
                return .recorded
            case .offline:
                environment.board.update(id) { progress in
                    progress.waiting = error.message
                    progress.bytesPerSecond = nil
                }
                try journal.change(id, .state(.queued))
                return .offline
            default:
                break
            }
            let failure = ItemFailure(code: error.code.description, message: error.message)
            if let item = try journal.change(id, .state(.failed), .failure(failure)) {
                journal.post(DownloadFailed(item: item, error: error))
            }
            return .recorded
        } catch let failed {
            // The registry itself cannot be written, as on a full disk: the row keeps its last
            // state, so that the next start goes on with the item.
            let isOwnFault = error.code == .cancelled || error.code == .offline
            let cause = isOwnFault ? DownloadError(failed) : error
            if var item = try? journal.registry.item(id) {
                item.state = .failed
                item.failure = ItemFailure(code: cause.code.description, message: cause.message)
                journal.post(DownloadFailed(item: item, error: cause))
            }
            return .unrecorded
        }
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
