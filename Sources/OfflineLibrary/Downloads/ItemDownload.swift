// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP

/// The whole way of one item, from its row to its file in the library.
struct ItemDownload: Sendable {
    let environment: DownloadEnvironment
    let id: ItemID

    private static let tick = Duration.milliseconds(250)

    /// Works until the item is ready or failed; a cancelled task leaves it queued for the next
    /// start.
    ///
    /// Runs beside its caller, for it waits for the disk.
    ///
    /// - Returns: Whether the registry knows how it ended; if not, the row has its last state.
    @concurrent
    func run() async -> Bool {
        let journal = environment.journal
        environment.board.begin(id)
        defer { environment.board.end(id) }
        do {
            guard let item = try journal.registry.item(id) else { return true }
            journal.post(DownloadStarted(item: item))
            let ticking = Task { await tellProgress(of: item) }
            let result = await Result { () async throws(DownloadError) in
                try await download(item)
            }
            ticking.cancel()
            await ticking.value
            guard let ready = try result.get() else { return true }
            journal.post(DownloadCompleted(item: ready))
            journal.delegates.notify(on: .main) {
                $0.downloadCompleted(downloadId: ready.id, mediaType: ready.mediaType)
            }
            return true
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

    /// Returns whether the failure is recorded.
    private func fail(_ error: DownloadError) -> Bool {
        let journal = environment.journal
        do {
            guard error.code != .cancelled else {
                try journal.change(id, .state(.queued))
                return true
            }
            let failure = ItemFailure(code: error.code.description, message: error.message)
            if let item = try journal.change(id, .state(.failed), .failure(failure)) {
                journal.post(DownloadFailed(item: item, error: error))
            }
            return true
        } catch let failed {
            // The registry itself cannot be written, as on a full disk: the row keeps its last
            // state, so that the next start goes on with the item.
            let cause = error.code == .cancelled ? DownloadError(failed) : error
            if var item = try? journal.registry.item(id) {
                item.state = .failed
                item.failure = ItemFailure(code: cause.code.description, message: cause.message)
                journal.post(DownloadFailed(item: item, error: cause))
            }
            return false
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
