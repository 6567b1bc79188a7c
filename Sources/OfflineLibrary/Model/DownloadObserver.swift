// SPDX-License-Identifier: Apache-2.0

/// A screen that follows downloads; called on the main actor.
@MainActor
package protocol DownloadObserver: AnyObject, Sendable {
    func downloadProgress(downloadId: ItemID, progress: DownloadProgress, mediaType: String?)
    func downloadCompleted(downloadId: ItemID, mediaType: String?)
    func downloadsListDidRefresh()
}
