// SPDX-License-Identifier: Apache-2.0
// Data that is loaded once for all observers, becomes stale, fails, is stored and is written.
import Tidings
import TidingsResources

struct Lesson: Sendable {
    let id: Int
    let title: String
}

enum CatalogError: Error {
    case busy(Duration)
    case closed
}

actor Catalog {
    private var all = [Lesson(id: 1, title: "Scales"), Lesson(id: 2, title: "Chords")]

    func lessons() throws -> [Lesson] { all }
    func remove(_ id: Int) throws { all.removeAll { $0.id == id } }
}

actor MemoryStore: ResourceStore {
    private var copy: StoredCopy<[Lesson]>?

    func read() -> StoredCopy<[Lesson]>? { copy }
    func write(_ copy: StoredCopy<[Lesson]>) { self.copy = copy }
    func remove() { copy = nil }
}

enum Connectivity: Sendable {
    case offline
    case online
}

struct ConnectivityChanged: Message {
    let isOnline: Bool
}

@MainActor final class LessonsScreen {
    private let lessons: Resource<[Lesson]>
    private(set) var titles: [String] = []

    init(_ lessons: Resource<[Lesson]>) {
        self.lessons = lessons
        lessons.publisher.observe(owner: self, on: .main) { screen, state in screen.show(state) }
    }

    func appear() { lessons.refreshIfNeeded() }

    func pull() {
        guard lessons.publisher.phase != .loading else { return }
        lessons.invalidate()
        lessons.refreshIfNeeded()
    }

    private func show(_ state: LoadState<[Lesson]>) {
        switch state {
        case .unknown: titles = []
        case .loading(let previous): titles = (previous ?? []).map(\.title) + ["…"]
        case .loaded(let lessons): titles = lessons.map(\.title)
        case .error(let error): titles = ["Sorry: \(error)"]
        }
    }
}

let catalog = Catalog()

@MainActor func simple() async throws {
    let lessons = Resource(options: ResourceOptions(staleAfter: .seconds(300))) {
        try await catalog.lessons()
    }
    let screen = LessonsScreen(lessons)
    screen.appear()

    let all = try await lessons.refresh()
    print("\(all.count) lessons")

    lessons.invalidate()
    lessons.refreshIfNeeded()
    screen.pull()
    print(screen.titles)
}

func complete(_ center: MessageCenter) async throws {
    let patient = RetryPolicy.backoff(attempts: 5) { error in
        switch error as? CatalogError {
        case .busy(let delay): .retry(after: delay)
        case .closed: .stop
        case nil: .retry()
        }
    }
    let connectivity = StatePublisher<Connectivity>()
    let careful = patient.pausing(with: connectivity) { $0 == .offline }
    let slow = ResourceOptions(retry: careful, slowAfter: .seconds(3))
    _ = slow

    let options = ResourceOptions(
        staleAfter: .seconds(300),
        retry: patient,
        refreshInterval: .seconds(3600),
        keepsDataFor: .seconds(60)
    )
    let lessons = Resource(
        options: options,
        store: MemoryStore(),
        storeFailed: { error in print("the copy is lost: \(error)") },
        loader: { try await catalog.lessons() }
    )
    lessons.refresh(on: center.messages(of: ConnectivityChanged.self).where { $0.isOnline })
    try await lessons.refresh()

    try await lessons.write {
        $0.removeAll { $0.id == 2 }
    } commit: {
        try await catalog.remove(2)
    }
    print(lessons.publisher.lastData?.map(\.title) ?? [])

    lessons.reset()
    print(lessons.publisher.phase)
}

try await simple()
try await complete(MessageCenter())
