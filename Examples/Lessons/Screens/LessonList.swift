// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Shows the lessons, and of each what is downloaded.
@MainActor
final class LessonList: DownloadObserver {
    private let pane = Pane("lessons")
    private let catalogue: Catalogue
    private let downloads: DownloadRepository
    private var heading = ""

    init(catalogue: Catalogue, downloads: DownloadRepository) {
        self.catalogue = catalogue
        self.downloads = downloads
        downloads.add(self)
        // It is told the current state before this returns, so there is nothing else to show first.
        catalogue.lessons.observe(owner: self, on: .main) { list, state in list.show(state) }
    }

    func refresh() {
        catalogue.refresh()
    }

    func download(_ group: DownloadGroup, of id: Lesson.ID) {
        if let lesson = lesson(id) { downloads.download(group, of: lesson) }
    }

    func remove(_ id: Lesson.ID) {
        downloads.remove(id)
    }

    func lesson(_ id: Lesson.ID) -> Lesson? {
        catalogue.lessons.lastData?.lesson(id)
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
        case .unknown: heading = "Nothing is known yet."
        case .loading: heading = "Loading …"
        case .loaded(let groups): heading = "There are \(groups.lessonCount) lessons."
        case .error(let error): heading = "\(error) This is what there was before:"
        }
        pane.show(lines)
    }

    private var lines: [String] {
        // Kept through loading and errors, whether it was loaded or stored.
        let groups = catalogue.lessons.lastData ?? []
        return [heading] + groups.flatMap { [$0.title] + $0.lessons.map(line) }
    }

    private func line(of lesson: Lesson) -> String {
        "  \(lesson.id) \(lesson.title): \(downloads.statusText(of: lesson))"
    }
}

extension DownloadRepository {
    /// What is there of a lesson, in one line: the icons of it, in the list and in the player.
    func statusText(of lesson: Lesson) -> String {
        lesson.media.map { "\($0) \(status(of: lesson.id, $0))" }.joined(separator: ", ")
    }
}
