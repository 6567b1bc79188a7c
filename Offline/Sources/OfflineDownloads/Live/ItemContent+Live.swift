// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsFiles

extension ItemContent {
    private var journal: ItemJournal { environment.journal }

    /// Starts the recording of a live stream, and returns when all parts are on disk.
    func record(
        _ source: any LiveSource,
        _ description: SourceDocument,
        of media: Media
    ) async throws {
        let address = media.endpoint.address
        let stream = try source.liveStream(description, item.choice, at: address)
        try environment.removeExtras(of: id, except: media.extras)
        SystemFile.removeFolder(environment.directory.parts(of: id))
        try SystemFile.makeFolder(environment.directory.work(of: id))
        try SystemFile.makeFolder(environment.directory.parts(of: id))
        try journal.downloads.setParts([], tracks: stream.tracks.map(\.description), of: id)
        let notes = ItemNote(media.notes + stream.notes, after: item.note)
        var live = item.live ?? LiveRecording()
        live.isOver = false
        try environment.journal.change(id, .set(\.live, live), .set(\.note, notes.text))
        if let title = stream.title {
            try environment.journal.change(id, .title(title, from: .playlist))
        }
        try journal.downloads.setRecording(stream.tracks.map { _ in LiveWindow() }, of: id)
        try replaced.clear()
        try await finish(recorder(source, at: media.endpoint), stream)
    }

    /// Continues an earlier recording.
    ///
    /// - Returns: False if the item is not a recording. Otherwise, all parts are on disk.
    func isRecorded(from origin: HTTPClients.Endpoint) async throws -> Bool {
        guard let live = item.live, try !journal.downloads.recording(of: id).isEmpty else {
            return false
        }
        guard !live.isOver, let found = try await stream(from: origin) else {
            let source = HLSSource()
            try await finish(recorder(source, at: origin), nil)
            return true
        }
        try replaced.clear()
        try await finish(found.recorder, found.stream)
        return true
    }

    /// Records the stream, if any, to the end, and then fetches the outstanding parts.
    private func finish(_ recorder: LiveRecorder, _ stream: LiveStream?) async throws {
        try environment.journal.advance(id, .fetch)
        let windows = try journal.downloads.recording(of: id)
        try showProgress(windows)
        if let stream { try await recorder.run(stream, from: windows) }
        if var live = try journal.items.item(id)?.live, !live.isOver {
            live.isOver = true
            try environment.journal.change(id, .set(\.live, live))
        }
        try await recorder.settle()
    }

    private func recorder(
        _ source: any LiveSource,
        at endpoint: HTTPClients.Endpoint
    ) -> LiveRecorder {
        var endpoint = endpoint
        endpoint.isLive = true
        return LiveRecorder(
            environment: environment,
            endpoint: endpoint,
            id: id,
            source: source,
            limit: item.live?.seconds
        )
    }

    private func showProgress(_ windows: [LiveWindow]) throws {
        let done = try journal.downloads.parts(of: id).filter { $0.size != nil }
        environment.progress.update(id) { progress in
            progress.doneSegments = done.count
            progress.receivedBytes = done.reduce(0) { $0 + ($1.size ?? 0) }
            progress.recordedSeconds = windows.first?.seconds
        }
    }

    /// Returns the stream of an earlier recording, or nil if the stream is gone or has other
    /// tracks.
    private func stream(
        from origin: HTTPClients.Endpoint
    ) async throws -> (recorder: LiveRecorder, stream: LiveStream)? {
        var pace = LivePace()
        let time = environment.clock.timer()
        while true {
            let begin = time()
            do {
                let media = try await media(hasParts: true, from: origin)
                guard case .fetched(.description(let source, let description)) = media.content,
                    let source = source as? any LiveSource
                else { return nil }
                let address = media.endpoint.address
                let stream = try source.liveStream(description, item.choice, at: address)
                let recorder = recorder(source, at: media.endpoint)
                guard try stream.tracks.map(\.description) == journal.downloads.tracks(of: id)
                else {
                    try recorder.noteOtherTracks()
                    return nil
                }
                return (recorder, stream)
            } catch {
                let recorder = recorder(HLSSource(), at: origin)
                let error = try recorder.bearable(error)
                let step = pace.fail(
                    isFinal: !error.isTransient,
                    retryAfter: error.retryAfter,
                    since: begin,
                    at: time()
                )
                guard case .wait(let delay) = step else {
                    try recorder.noteLoss(error)
                    return nil
                }
                environment.progress.update(id) { $0.waiting = error.message }
                defer { environment.progress.update(id) { $0.waiting = nil } }
                try await environment.clock.sleep(for: delay)
            }
        }
    }
}
