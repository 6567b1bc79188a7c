// SPDX-License-Identifier: Apache-2.0

/// The download of one part of a lesson.
struct Download: Sendable {
    let lesson: Lesson
    let mediaType: MediaType
    fileprivate(set) var percent = 0

    var isOver: Bool { percent == 100 }
}

/// What is downloaded and what is on its way, as a value.
struct DownloadList: Sendable {
    private(set) var downloads: [Download] = []
    var isOnline = true

    /// How many are on their way.
    var runningCount: Int { downloads.count { !$0.isOver } }

    func status(of id: Lesson.ID, _ mediaType: MediaType) -> DownloadStatus {
        guard let download = downloads.first(where: { $0.isPart(mediaType, of: id) }) else {
            return .absent
        }
        if download.isOver { return .downloaded }
        return isOnline ? .loading(download.percent) : .waiting(download.percent)
    }

    /// Adds what is not there yet: the text may have come with the audio.
    mutating func add(_ group: DownloadGroup, of lesson: Lesson) {
        for mediaType in group.media(of: lesson) where status(of: lesson.id, mediaType) == .absent {
            downloads.append(Download(lesson: lesson, mediaType: mediaType))
        }
    }

    mutating func remove(_ id: Lesson.ID) {
        downloads.removeAll { $0.lesson.id == id }
    }

    /// Takes the next piece of the first download that is not over, and returns that; nil if
    /// nothing can come.
    mutating func takePiece() -> Download? {
        guard isOnline, let index = downloads.firstIndex(where: { !$0.isOver }) else { return nil }
        downloads[index].percent += downloads[index].mediaType == .text ? 100 : 50
        return downloads[index]
    }
}

extension Download {
    fileprivate func isPart(_ mediaType: MediaType, of id: Lesson.ID) -> Bool {
        lesson.id == id && self.mediaType == mediaType
    }
}
