// SPDX-License-Identifier: Apache-2.0
// Code for `AsyncStream`, and the replacement.
import Synchronization
import Tidings

final class Downloads: Sendable {
    private struct Readers {
        var next = 0
        var all: [Int: AsyncStream<Int>.Continuation] = [:]
    }

    private let readers = Mutex(Readers())

    func progress() -> AsyncStream<Int> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let id = readers.withLock { readers in
            readers.next += 1
            readers.all[readers.next] = continuation
            return readers.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.readers.withLock { $0.all.removeValue(forKey: id) }
        }
        return stream
    }

    func report(_ percent: Int) {
        for continuation in readers.withLock({ Array($0.all.values) }) {
            continuation.yield(percent)
        }
    }
}

@MainActor final class StreamScreen {
    private(set) var title = ""
    private var reading: Task<Void, Never>?

    func follow(_ downloads: Downloads) {
        reading = Task { [weak self] in
            for await percent in downloads.progress() {
                self?.title = "\(percent) %"
            }
        }
    }

    deinit { reading?.cancel() }
}

final class Receiver: Sendable {
    func powerOn() {}
    func powerOff() {}
}

func locations(of receiver: Receiver) -> AsyncStream<Int> {
    AsyncStream { continuation in
        continuation.onTermination = { _ in receiver.powerOff() }
        receiver.powerOn()
    }
}

struct Progress: Message {
    let percent: Int
}

struct LocationChanged: Message {
    let latitude: Double
}

@MainActor final class Screen {
    private(set) var title = ""

    func follow(_ center: MessageCenter) {
        center.observe(Progress.self, owner: self, on: .main) { screen, progress in
            screen.title = "\(progress.percent) %"
        }
    }
}

func report(_ center: MessageCenter) {
    center.post(Progress(percent: 40))
}

func read(_ center: MessageCenter) async {
    for await progress in center.messages(of: Progress.self).values {
        print("\(progress.percent) %")
    }
}

func newest(_ center: MessageCenter) async {
    let (stream, continuation) = AsyncStream.makeStream(
        of: Int.self,
        bufferingPolicy: .bufferingNewest(1)
    )
    var dropped = 0
    for percent in 1...3 {
        if case .dropped = continuation.yield(percent) { dropped += 1 }
    }
    continuation.finish()
    for await percent in stream { print(percent, dropped) }

    let progress = center.messages(of: Progress.self).buffering(.newest(1)).values
    for percent in 1...3 { center.post(Progress(percent: percent)) }
    print(progress.dropped)
}

func locate(_ center: MessageCenter, with receiver: Receiver) -> ObservationToken {
    let switching = center.whileObserved(
        LocationChanged.self,
        start: { receiver.powerOn() },
        stop: { receiver.powerOff() }
    )
    return switching
}

let downloads = Downloads()
let streamScreen = StreamScreen()
streamScreen.follow(downloads)
downloads.report(40)
_ = locations(of: Receiver())

let center = MessageCenter()
let screen = Screen()
screen.follow(center)
let reading = Task { await read(center) }
report(center)
await newest(center)
let location = locate(center, with: Receiver())
center.finish()
await reading.value
location.cancel()
print(screen.title)
