// SPDX-License-Identifier: Apache-2.0
// Code for RxSwift and RxRelay, which this package does not depend on, and the replacement.
import Tidings
import TidingsResources

#if canImport(RxSwift) && canImport(RxRelay)
import RxRelay
import RxSwift

@MainActor final class RxScreen {
    private(set) var title = ""
    private let disposeBag = DisposeBag()

    func follow(_ loggedIn: PublishRelay<String>) {
        loggedIn
            .observe(on: MainScheduler.instance)
            .subscribe(onNext: { [weak self] name in self?.title = name })
            .disposed(by: disposeBag)
    }

    func follow(_ lessons: Single<[String]>) {
        lessons
            .retry(3)
            .observe(on: MainScheduler.instance)
            .subscribe(
                onSuccess: { [weak self] in self?.title = "\($0.count) lessons" },
                onFailure: { [weak self] in self?.title = "Sorry: \($0)" }
            )
            .disposed(by: disposeBag)
    }
}

func before() {
    let volume = BehaviorRelay(value: 5)
    volume.accept(6)
    print(volume.value)

    let played = ReplaySubject<String>.create(bufferSize: 5)
    played.onNext("Carey")
    _ = played.subscribe(onNext: { print($0) })
}
#endif

struct LoggedIn: Message {
    let name: String
}

struct Played: Message {
    let track: String
}

@MainActor final class Screen {
    private(set) var title = ""

    func follow(_ center: MessageCenter) {
        center.observe(LoggedIn.self, owner: self, on: .main) { screen, message in
            screen.title = message.name
        }
    }

    func follow(_ lessons: Resource<[String]>) {
        lessons.publisher.observe(owner: self, on: .main) { screen, state in
            switch state {
            case .unknown, .loading: screen.title = "One moment"
            case .loaded(let lessons): screen.title = "\(lessons.count) lessons"
            case .error(let error): screen.title = "Sorry: \(error)"
            }
        }
        lessons.refreshIfNeeded()
    }
}

func fetchLessons() async throws -> [String] { ["Scales", "Chords"] }

func after(_ center: MessageCenter) {
    let volume = StatePublisher(5)
    volume.updateData(6)
    print(volume.lastData ?? 0)

    center.post(Played(track: "Carey"), options: [.retained(last: 5)])
    let token = center.messages(of: Played.self).replaying(.all).observe { print($0.track) }
    token.cancel()
}

let lessons = Resource(options: ResourceOptions(retry: .backoff(attempts: 3))) {
    try await fetchLessons()
}
let center = MessageCenter()
let screen = Screen()
screen.follow(center)
screen.follow(lessons)
after(center)
center.post(LoggedIn(name: "Ada"))
try await lessons.refresh()
print(screen.title)
