// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tidings

/// The only source for the state of downloads.
///
/// Screens read their content here, again after each notification, so that two screens never
/// differ. The repository can be used on any thread. Observers are notified on the main actor, in
/// the order of registration. The repository references observers weakly, so no observer has to
/// unregister.
final class DownloadRepository: Sendable {
    private let center: MessageCenter
    private let observers = Delegates<any DownloadObserver>()
    private let list = Mutex(DownloadList())

    init(center: MessageCenter) {
        self.center = center
        center.messages(.connectivityChanged).observe(owner: self) { repository, change in
            repository.edit { $0.isOnline = change.isOnline }
        }
    }

    var downloads: [Download] { list.withLock { $0.downloads } }
    var runningCount: Int { list.withLock { $0.runningCount } }
    var observerCount: Int { observers.count }

    func status(of id: Lesson.ID, _ mediaType: MediaType) -> DownloadStatus {
        list.withLock { $0.status(of: id, mediaType) }
    }

    /// Registers an observer until the observer is released.
    func add(_ observer: any DownloadObserver) {
        // The call throws only for a value that is not an object, which the protocol excludes.
        try? observers.add(observer)
    }

    func download(_ group: DownloadGroup, of lesson: Lesson) {
        edit { $0.add(group, of: lesson) }
    }

    func remove(_ id: Lesson.ID) {
        edit { $0.remove(id) }
    }

    private func edit(_ body: (inout DownloadList) -> Void) {
        let count = list.withLock { list in
            body(&list)
            return list.downloads.count
        }
        observers.notify(on: .main) { $0.downloadsListDidRefresh() }
        center.post(DownloadsListRefreshed(count: count))
    }
}

extension DownloadRepository {
    /// Receives the next piece from the network, on any thread.
    @concurrent
    func receivePiece() async {
        guard let download = list.withLock({ $0.receivePiece() }) else { return }
        let (id, mediaType) = (download.lesson.id, download.mediaType)
        observers.notify(on: .main) { observer in
            if download.isComplete {
                observer.downloadCompleted(id: id, mediaType: mediaType)
            } else {
                let percent = download.percent
                observer.downloadProgress(id: id, progress: percent, mediaType: mediaType)
            }
        }
    }

    /// Delivers pending notifications now, for a script that continues after the delivery.
    @MainActor
    func deliverPendingNotifications() {
        // A notification on the main actor first delivers all pending notifications.
        observers.notify(on: .main) { _ in }
    }
}
