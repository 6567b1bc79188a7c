// SPDX-License-Identifier: Apache-2.0
// expect: 'UntypedMessage' has no member 'nmae'
import Tidings

func start(_ center: MessageCenter) -> ObservationToken {
    center.messages(named: "InternetConnect").observe { message in
        let text = message.nmae
        print(text)
    }
}
