// SPDX-License-Identifier: Apache-2.0

extension [LessonGroup] {
    /// The copy that the last run of the program has stored.
    static var lastTime: Self {
        [LessonGroup(title: "Beginners", lessons: [.greetings, .market])]
    }

    static var today: Self {
        [
            LessonGroup(title: "Beginners", lessons: [.greetings, .market]),
            LessonGroup(title: "Travelers", lessons: [.train]),
        ]
    }

    /// The catalog after a lesson was added while the app was offline.
    static var tonight: Self {
        [
            LessonGroup(title: "Beginners", lessons: [.greetings, .market]),
            LessonGroup(title: "Travelers", lessons: [.train, .hotel]),
        ]
    }
}

extension Lesson {
    fileprivate static let greetings = Lesson(id: 1, title: "Greetings", media: [.audio, .text])
    fileprivate static let market = Lesson(
        id: 2,
        title: "At the market",
        media: [.audio, .video, .text]
    )
    fileprivate static let train = Lesson(id: 3, title: "On the train", media: [.audio, .text])
    fileprivate static let hotel = Lesson(id: 4, title: "In the hotel", media: [.audio, .text])
}
