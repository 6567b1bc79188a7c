// SPDX-License-Identifier: Apache-2.0

/// An observer of downloads, called on the main actor.
@MainActor
protocol DownloadObserver: AnyObject, Sendable {
    /// Called when a download has made progress, in percent.
    func downloadProgress(id: Lesson.ID, progress: Int, mediaType: MediaType)
    /// Called when a download is complete.
    func downloadCompleted(id: Lesson.ID, mediaType: MediaType)
    /// Called when downloads were added, removed, paused or resumed.
    func downloadsListDidRefresh()
}
