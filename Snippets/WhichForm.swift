// SPDX-License-Identifier: Apache-2.0
// Each row of the article "Which form do I want?", once.
import Dispatch
import Tidings
import TidingsFoundation
import TidingsResources

protocol Audited: Message {}

struct Played: Message, Equatable {
    let track: String
}

struct Paused: Message {}

struct TrackWanted: Request {
    typealias Response = String
    let number: Int
}

struct Settings: Sendable {
    var volume = 3
}

final class Album: Sendable {}

actor Library {
    private(set) var tracks: [String] = []

    func add(_ track: String) { tracks.append(track) }
}

@MainActor protocol PlayerDelegate: AnyObject, Sendable {
    func playerDidPause()
}

@MainActor final class PlayerScreen: PlayerDelegate {
    private(set) var title = ""

    init(_ center: MessageCenter, _ lessons: Resource<[String]>) {
        center.observe(Played.self, owner: self, on: .main) { screen, message in
            screen.title = message.track
        }
        center.messages(of: Played.self).observe(owner: self) { @MainActor screen, message in
            await screen.fade(to: message.track)
        }
        lessons.publisher.observe(owner: self, on: .main) { screen, state in
            screen.title = "\(state.value?.count ?? 0) lessons"
        }
    }

    func playerDidPause() { title = "paused" }
    func fade(to track: String) async { title = track }
}

final class Journal: Sendable {
    init(_ center: MessageCenter) {
        center.observe(Played.self, owner: self) { journal, message in
            journal.write(message.track)
        }
        center.observe(owner: self) { journal in
            journal.on(Played.self) { journal, message in journal.write(message.track) }
            journal.on(Paused.self) { journal, _ in journal.write("paused") }
        }
    }

    func write(_ line: String) { print(line) }
}

func observe(_ center: MessageCenter, _ library: Library, _ bag: ObservationBag) {
    let token = center.observe(Played.self) { message in print(message.track) }
    center.observe(Played.self, on: .main) { message in print(message.track) }.store(in: bag)
    let played = center.messages(of: Played.self)
    played.observe { message async in await library.add(message.track) }.store(in: bag)
    played.observe(on: library) { library, message in library.add(message.track) }
    let queue = DispatchQueue(label: "player")
    played.observe(on: queue) { message in print(message.track) }.store(in: bag)
    token.cancel()
}

func narrow(_ center: MessageCenter, _ album: Album, _ bag: ObservationBag) {
    let played = center.messages(of: Played.self)
    played.where { $0.track != "Intro" }.observe { print($0.track) }.store(in: bag)
    played.about(album).observe { print($0.track) }.store(in: bag)
    played.once().observe { print($0.track) }.store(in: bag)
    played.removingDuplicates().observe { print($0.track) }.store(in: bag)
    played.debounced(for: .milliseconds(300)).observe { print($0.track) }.store(in: bag)
    played.throttled(for: .milliseconds(300)).observe { print($0.track) }.store(in: bag)
    played.sampled(every: .seconds(1)).observe { print($0.track) }.store(in: bag)
    played.priority(.high).observe { print($0.track) }.store(in: bag)
    played.replaying(.last(1)).observe { print($0.track) }.store(in: bag)
    played.buffering(.newest(10)).observe { print($0.track) }.store(in: bag)
    played.concurrency(4).observe { message async in print(message.track) }.store(in: bag)
    played.intercept { $0.track == "Noise" ? .drop : .deliver }.store(in: bag)
    center.allMessages.observe { print(type(of: $0)) }.store(in: bag)
    center.messages(conformingTo: (any Audited).self) { $0 as? any Audited }
        .observe { print(type(of: $0)) }.store(in: bag)
    center.messages(named: "InternetConnect").observe { print($0.name) }.store(in: bag)
}

func read(_ center: MessageCenter) async throws {
    let next = center.messages(of: Played.self).next(timeout: .seconds(5))
    center.post(Played(track: "Blue"))
    print(try await next.value.track)

    let reading = center.messages(of: Played.self).values
    center.post(Played(track: "Carey"))
    for await message in reading {
        print(message.track)
        break
    }
}

func post(_ center: MessageCenter, _ album: Album) async throws {
    center.post(Played(track: "Blue"))
    center.post(Played(track: "Blue"), about: album)
    try center.post(Played(track: "Blue"), requiring: .recipient)
    await center.postAndWait(Played(track: "Blue"))
    center.post(Played(track: "Blue"), options: [.nested])
    center.post(Played(track: "Blue"), options: [.retained])
    center.post(Played(track: "Blue"), options: [.retainedUntilHandled])
    center.postWhenIdle(Paused())
    center.coalesced(Played.self, by: \.track, after: .milliseconds(100))
        .post(Played(track: "Blue"))
    center.post(named: "InternetConnect", object: "en0")
}

func pause(_ center: MessageCenter) async throws {
    center.block()
    center.resume()
    try await center.finishAndWait(within: .seconds(5))
}

func ask(_ center: MessageCenter) async throws {
    let responder = center.respond(to: TrackWanted.self) { "Track \($0.number)" }
    print(try await center.request(TrackWanted(number: 1)))
    responder.cancel()
}

func fetchLessons(page: Int) async throws -> [String] { ["Lesson \(page)"] }

func turn(_ bag: ObservationBag) {
    let pages = ResourceFamily { page in try await fetchLessons(page: page) }
    pages[3].refreshIfNeeded()
    pages.states(of: 3, previous: 2).observe { print($0.phase) }.store(in: bag)
}

func keep() {
    let settings = StatePublisher(Settings())
    settings.update { $0.volume = 5 }
    print(settings.lastData?.volume ?? 0)
}

@MainActor func notify(_ screen: PlayerScreen) throws {
    let delegates = Delegates<any PlayerDelegate>()
    try delegates.add(screen)
    delegates.notify(on: .main) { $0.playerDidPause() }
}

let (center, album, library, bag) = (MessageCenter(), Album(), Library(), ObservationBag())
let lessons = Resource { ["Scales", "Chords"] }
let screen = PlayerScreen(center, lessons)
let journal = Journal(center)
observe(center, library, bag)
narrow(center, album, bag)
try await read(center)
try await post(center, album)
try await ask(center)
turn(bag)
keep()
try notify(screen)
print(screen.title)
