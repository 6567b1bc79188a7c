// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tidings

/// The one place that knows what is downloaded.
///
/// Whoever shows a download asks here, and asks again when told: what two screens show cannot
/// differ. It may be used on any thread; its observers are told on the main actor, all of them, in
/// the order in which they came. It keeps none of them alive, so none has to go by itself.
final class DownloadRepository: Sendable {
    private let center: MessageCenter
    private let observers = Delegates<any DownloadObserver>()
    private let list = Mutex(DownloadList())

    init(center: MessageCenter) {
        self.center = center
        center.observe(.connectivityChanged, owner: self) { repository, change in
            repository.edit { $0.isOnline = change.isOnline }
        }
    }

    var downloads: [Download] { list.withLock { $0.downloads } }
    var runningCount: Int { list.withLock { $0.runningCount } }
    var observerCount: Int { observers.count }

    func status(of id: Lesson.ID, _ mediaType: MediaType) -> DownloadStatus {
        list.withLock { $0.status(of: id, mediaType) }
    }

    /// Tells an observer of downloads for as long as it lives.
    func add(_ observer: any DownloadObserver) {
        // Refused is only what is not an object, and the protocol sees to that.
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
    /// Takes what the network brings next, on a thread of the network's choice.
    @concurrent
    func takePiece() async {
        guard let download = list.withLock({ $0.takePiece() }) else { return }
        let (id, mediaType) = (download.lesson.id, download.mediaType)
        observers.notify(on: .main) { observer in
            if download.isOver {
                observer.downloadCompleted(id: id, mediaType: mediaType)
            } else {
                let percent = download.percent
                observer.downloadProgress(id: id, progress: percent, mediaType: mediaType)
            }
        }
    }

    /// Tells now what still waits for the main actor, for a script that goes on when it was seen.
    @MainActor
    func tellWhatWaits() {
        // Whoever notifies on the main actor lets those go first who wait for it.
        observers.notify(on: .main) { _ in }
    }
}
