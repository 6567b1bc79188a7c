// SPDX-License-Identifier: Apache-2.0

/// Who follows downloads, on the main actor.
@MainActor
protocol DownloadObserver: AnyObject, Sendable {
    /// A part of a lesson has come to this many percent.
    func downloadProgress(id: Lesson.ID, progress: Int, mediaType: MediaType)
    /// A part of a lesson is there.
    func downloadCompleted(id: Lesson.ID, mediaType: MediaType)
    /// Downloads came, went, wait or go on.
    func downloadsListDidRefresh()
}
