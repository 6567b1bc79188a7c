// SPDX-License-Identifier: Apache-2.0

/// Shows the downloads in the order in which they were added.
@MainActor
final class DownloadsScreen: DownloadObserver {
    private let pane = Pane("downloads")
    private let downloads: DownloadRepository

    init(downloads: DownloadRepository) {
        self.downloads = downloads
        downloads.add(self)
        pane.show(lines)
    }

    func downloadProgress(id: Lesson.ID, progress: Int, mediaType: MediaType) {
        pane.update(lines)
    }

    func downloadCompleted(id: Lesson.ID, mediaType: MediaType) {
        pane.update(lines)
    }

    func downloadsListDidRefresh() {
        pane.update(lines)
    }

    private var lines: [String] {
        downloads.downloads.map { download in
            let status = downloads.status(of: download.lesson.id, download.mediaType)
            return "\(download.mediaType) of \(download.lesson.title): \(status)"
        }
    }
}
