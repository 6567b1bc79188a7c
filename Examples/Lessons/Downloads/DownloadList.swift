// SPDX-License-Identifier: Apache-2.0

/// The download of one part of a lesson.
struct Download: Sendable {
    let lesson: Lesson
    let mediaType: MediaType
    fileprivate(set) var percent = 0

    var isComplete: Bool { percent == 100 }
}

/// All running and completed downloads, as a value.
struct DownloadList: Sendable {
    private(set) var downloads: [Download] = []
    var isOnline = true

    /// The number of running downloads.
    var runningCount: Int { downloads.count { !$0.isComplete } }

    func status(of id: Lesson.ID, _ mediaType: MediaType) -> DownloadStatus {
        guard let download = downloads.first(where: { $0.isPart(mediaType, of: id) }) else {
            return .absent
        }
        if download.isComplete { return .downloaded }
        return isOnline ? .loading(download.percent) : .waiting(download.percent)
    }

    /// Adds the missing media of a group.
    ///
    /// The text may already have been downloaded with the audio.
    mutating func add(_ group: DownloadGroup, of lesson: Lesson) {
        for mediaType in group.media(of: lesson) where status(of: lesson.id, mediaType) == .absent {
            downloads.append(Download(lesson: lesson, mediaType: mediaType))
        }
    }

    mutating func remove(_ id: Lesson.ID) {
        downloads.removeAll { $0.lesson.id == id }
    }

    /// Adds a piece to the first running download and returns the download, or nil without a
    /// download or a connection.
    mutating func receivePiece() -> Download? {
        guard isOnline, let index = downloads.firstIndex(where: { !$0.isComplete }) else {
            return nil
        }
        downloads[index].percent += downloads[index].mediaType == .text ? 100 : 50
        return downloads[index]
    }
}

extension Download {
    fileprivate func isPart(_ mediaType: MediaType, of id: Lesson.ID) -> Bool {
        lesson.id == id && self.mediaType == mediaType
    }
}
