// SPDX-License-Identifier: Apache-2.0
// The program of the article "Getting started": a screen that shows a resource, and a message.
import Tidings
import TidingsResources

struct Lesson: Sendable {
    let title: String
}

struct LessonFinished: Message {
    let title: String
}

func fetchLessons() async throws -> [Lesson] {
    try await Task.sleep(for: .milliseconds(100))  // Stands for a request.
    return [Lesson(title: "Scales"), Lesson(title: "Chords")]
}

@MainActor final class LessonScreen {
    init(_ lessons: Resource<[Lesson]>, _ center: MessageCenter) {
        lessons.publisher.observe(owner: self, on: .main) { screen, state in
            screen.show(state)
        }
        center.observe(LessonFinished.self, owner: self, on: .main) { screen, message in
            screen.celebrate(message.title)
        }
        lessons.refreshIfNeeded()
    }

    private func show(_ state: LoadState<[Lesson]>) {
        switch state {
        case .unknown: print("Welcome")
        case .loading: print("One moment …")
        case .loaded(let lessons): print("Lessons:", lessons.map(\.title))
        case .error(let error): print("Sorry: \(error)")
        }
    }

    private func celebrate(_ title: String) {
        print("Finished:", title)
    }
}

let center = MessageCenter()
let lessons = Resource(options: ResourceOptions(staleAfter: .seconds(60))) {
    try await fetchLessons()
}
let screen = LessonScreen(lessons, center)
try await lessons.refresh()
center.post(LessonFinished(title: "Scales"))
