// SPDX-License-Identifier: Apache-2.0

/// The badge of the app's icon: the number of running downloads.
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
