// SPDX-License-Identifier: Apache-2.0

/// The number at the app's icon: how many downloads are on their way.
@MainActor
final class Badge: DownloadObserver {
    private let pane = Pane("badge")
    private let downloads: DownloadRepository

    init(downloads: DownloadRepository) {
        self.downloads = downloads
        downloads.add(self)
        update()
    }

    func downloadProgress(id: Lesson.ID, progress: Int, mediaType: MediaType) {}

    func downloadCompleted(id: Lesson.ID, mediaType: MediaType) {
        update()
    }

    func downloadsListDidRefresh() {
        update()
    }

    private func update() {
        pane.update(["\(downloads.runningCount)"])
    }
}
