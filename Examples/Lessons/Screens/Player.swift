// SPDX-License-Identifier: Apache-2.0

/// Plays a lesson and can download it.
@MainActor
final class Player: DownloadObserver {
    private let pane = Pane("player")
    private let lesson: Lesson
    private let downloads: DownloadRepository

    init(_ lesson: Lesson, downloads: DownloadRepository) {
        self.lesson = lesson
        self.downloads = downloads
        downloads.add(self)
        pane.show(lines)
    }

    func download() {
        downloads.download(group, of: lesson)
    }

    func downloadProgress(id: Lesson.ID, progress: Int, mediaType: MediaType) {
        if id == lesson.id { pane.update(lines) }
    }

    func downloadCompleted(id: Lesson.ID, mediaType: MediaType) {
        if id == lesson.id { pane.update(lines) }
    }

    func downloadsListDidRefresh() {
        pane.update(lines)
    }

    private var played: MediaType { lesson.media.contains(.video) ? .video : .audio }
    private var group: DownloadGroup { played == .video ? .videoAndText : .audioAndText }

    private var lines: [String] {
        let isDownloaded = downloads.status(of: lesson.id, played) == .downloaded
        let source = isDownloaded ? "this device" : "the network"
        return [
            "\(lesson.title), \(played) from \(source)", "  \(downloads.statusText(of: lesson))",
        ]
    }
}
