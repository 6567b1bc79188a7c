// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Shows the lessons and the state of their downloads.
@MainActor
final class LessonList: DownloadObserver {
    private let pane = Pane("lessons")
    private let catalog: Catalog
    private let downloads: DownloadRepository
    private var heading = ""

    init(catalog: Catalog, downloads: DownloadRepository) {
        self.catalog = catalog
        self.downloads = downloads
        downloads.add(self)
        // `observe` delivers the current state before it returns, so no initial state is needed.
        catalog.lessons.observe(owner: self, on: .main) { list, state in list.show(state) }
    }

    func refresh() {
        catalog.refresh()
    }

    func download(_ group: DownloadGroup, of id: Lesson.ID) {
        if let lesson = lesson(id) { downloads.download(group, of: lesson) }
    }

    func remove(_ id: Lesson.ID) {
        downloads.remove(id)
    }

    func lesson(_ id: Lesson.ID) -> Lesson? {
        catalog.lessons.lastData?.lesson(id)
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

    private func show(_ state: LoadState<[LessonGroup]>) {
        switch state {
        case .unknown: heading = "No lessons yet."
        case .loading: heading = "Loading …"
        case .loaded(let groups): heading = "There are \(groups.lessonCount) lessons."
        case .error(let error): heading = "\(error) These are the last known lessons:"
        }
        pane.show(lines)
    }

    private var lines: [String] {
        // The screen shows the last loaded or stored lessons, even while loading and after errors.
        let groups = catalog.lessons.lastData ?? []
        return [heading] + groups.flatMap { [$0.title] + $0.lessons.map(line) }
    }

    private func line(of lesson: Lesson) -> String {
        "  \(lesson.id) \(lesson.title): \(downloads.statusText(of: lesson))"
    }
}

extension DownloadRepository {
    /// Returns the states of a lesson's media in one line, for the list and the player.
    func statusText(of lesson: Lesson) -> String {
        lesson.media.map { "\($0) \(status(of: lesson.id, $0))" }.joined(separator: ", ")
    }
}
