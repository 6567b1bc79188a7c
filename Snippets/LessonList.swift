// SPDX-License-Identifier: Apache-2.0
// The first program of the README: a screen that follows messages and never unsubscribes.
import Tidings

struct LessonDownloaded: Message {
    let title: String
}

@MainActor final class LessonList {
    private(set) var titles: [String] = []

    init(_ center: MessageCenter) {
        // No unsubscribe: the observation ends with its owner.
        center.observe(LessonDownloaded.self, owner: self, on: .main) { list, message in
            list.titles.append(message.title)
        }
    }
}

let center = MessageCenter()
let list = LessonList(center)
center.post(LessonDownloaded(title: "Fractions"))
print(list.titles)  // ["Fractions"]
